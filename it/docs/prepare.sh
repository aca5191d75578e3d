# Sourced by the scripts in which DocsIT runs the documents' examples: the files that they name, and programs that are not
# on each machine, or reach others.
home=$PWD
export PATH=$home/bin:$PATH

prepare() { # once for all documents
  mkdir -p bin var/log/shop var/lib var/backups etc/cordwood opt usr/local/bin usr/local/share/man/man1 run
  cp "${BASH_SOURCE%/*}/cordwood" bin/cordwood
  for name in ssh scp; do printf '#!/bin/sh\n' >bin/$name; done
  command -v man >/dev/null || printf '#!/bin/sh\nexec cat\n' >bin/man
  printf '#!/bin/sh\necho from the kernel\nexec sleep 600\n' >bin/dmesg
  chmod +x bin/*

  printf '%s\n' 'started' 'error: timeout' 'ended' >app.log
  printf '%s\n' "$DATE 00:00:01.000 started" "$DATE 00:00:02.000 error: timeout" >shop.log
  gzip -c shop.log >shop.log.1.gz
  cp shop.log var/log/shop/shop.log
  printf '%s\n' '24.11.2026 10:00:00 old' >old.log
  openssl rand -hex 32 >etc/cordwood/key && chmod 400 etc/cordwood/key
  "$CORDWOOD" import --topic shop --file shop.log "localhost:$DURABLE_PORT" # with times of yesterday, $DATE
  "$CORDWOOD" token add ann --scope admin --file etc/cordwood/tokens >/dev/null
  "$CORDWOOD" ca init --dir ca >/dev/null && "$CORDWOOD" ca node --dir ca --out etc/cordwood/tls localhost >/dev/null

  # An archive as install.md's, but with two files, of which one does nothing (InstalledPackagesIT has the true one).
  mkdir cordwood-0.1.0-linux-x86_64 && cp bin/cordwood cordwood-0.1.0-linux-x86_64/
  printf '#!/bin/sh\n' >cordwood-0.1.0-linux-x86_64/archive-classes && chmod +x cordwood-0.1.0-linux-x86_64/archive-classes
  tar -czf cordwood-0.1.0-linux-x86_64.tar.gz cordwood-0.1.0-linux-x86_64 && rm -r cordwood-0.1.0-linux-x86_64
}
[ -d bin ] || prepare

begin() { # DOCUMENT: what follows is in a folder of its own, with all files
  mkdir "$home/$1"
  cp "$home"/*.log "$home"/*.gz "$home/$1"
  cd "$home/$1"
}

# Those of the documents that follow: a file that nobody writes to, a stream without an end.
tail() {
  case $1 in -F) cat "$2" ;; *) command tail "$@" ;; esac
}
curl() {
  case $* in *-sN*) read -r _ < <(command curl "$@" || :) ;; *) command curl "$@" ;; esac
}

# What comes while somebody follows, until this shell ends. Its output is not this shell's, which would be waited for.
(
  while kill -0 $$; do
    printf '%s\n' 'CORDWOOD/1 topic=billing' 'error: timeout, refused' >"/dev/tcp/localhost/$FAST_PORT"
    sleep 0.2
  done
) >/dev/null 2>&1 &
