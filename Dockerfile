# Any of Cordwood's programs, with a Java runtime of what they use. From a clone, with Docker alone:
#   docker build -t cordwood .
#   docker run -v cordwood:/data -p 127.0.0.1:7650-7653:7650-7653 cordwood ingeststore --insecure
# It listens on all addresses: without --insecure it needs --tls-dir and --tokens.
ARG JDK=eclipse-temurin:25
ARG BASE=debian:bookworm-slim

FROM ${JDK} AS programs
# The address of a repository that stands in for Maven Central.
ARG MVNW_REPOURL=
# Is "built" if dist/target/cordwood.jar is to be taken as it is, and nothing fetched or built.
ARG PROGRAMS=
COPY . /cordwood
WORKDIR /cordwood
RUN [ "$PROGRAMS" = built ] || dist/package/build-programs

# In which dist/package/build-packages --docker makes packages.
FROM programs AS packages
ARG PROGRAMS=
RUN [ "$PROGRAMS" = built ] || { apt-get update && apt-get install --yes --no-install-recommends rpm; }

FROM ${JDK} AS runtime
COPY dist/package/make-runtime /
RUN /make-runtime /runtime

FROM ${BASE}
ARG PROGRAMS=
# journalctl, which forward --journal runs.
RUN [ "$PROGRAMS" = built ] || { apt-get update \
  && apt-get install --yes --no-install-recommends systemd && rm -rf /var/lib/apt/lists/*; }
COPY --from=runtime /runtime /opt/cordwood/runtime
COPY --from=programs /cordwood/.mvn/find-jdk.sh /cordwood/.mvn/memory.sh /opt/cordwood/.mvn/
COPY --from=programs /cordwood/cordwood /cordwood/dist/target/cordwood.jar /cordwood/dist/package/archive-classes /opt/cordwood/
RUN /opt/cordwood/archive-classes
# A named volume takes over the owner of the folder that it is mounted on.
RUN mkdir /data && chown 7650:7650 /data
VOLUME /data
USER 7650:7650
# The launcher sizes the JVM by the container's memory.
ENV CORDWOOD_DATA=/data CORDWOOD_BIND=0.0.0.0 CORDWOOD_CACHE=off
# 7650 HTTP, 7651 fast, 7652 durable, 7653 bulk, 7659 gossip
EXPOSE 7650 7651 7652 7653 7659
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD if [ -n "${CORDWOOD_TLS_DIR-}" ]; then scheme=https:// trust="--tls-ca $CORDWOOD_TLS_DIR/ca.pem"; fi; \
    exec /opt/cordwood/cordwood health --node "${scheme-}localhost:${CORDWOOD_API_PORT:-7650}" ${trust-}
ENTRYPOINT ["/opt/cordwood/cordwood"]
CMD ["--help"]
