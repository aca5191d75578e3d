package io.cordwood.log4j2;

import io.cordwood.forwarder.AppenderSetting;
import io.cordwood.forwarder.AppenderSettings;
import io.cordwood.forwarder.AppenderStatus;
import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.LoggingForwarder;
import io.cordwood.forwarder.StopTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.Core;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.appender.AppenderLoggingException;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginBuilderAttribute;
import org.apache.logging.log4j.core.config.plugins.PluginBuilderFactory;
import org.apache.logging.log4j.core.config.plugins.validation.constraints.Required;
import org.jspecify.annotations.Nullable;

/**
 * Sends events to Cordwood's ingest nodes, each as one record, whatever lines it has.
 *
 * <p>Appending copies an event into memory and returns; it waits only under {@code
 * whenFull="block"} and never connects. Starting does not wait for a node; stopping waits for
 * {@code stopTimeout} at most. What is not acknowledged is sent again, to any of the targets, until
 * it is.
 */
@Plugin(
    name = CordwoodAppender.PLUGIN_NAME,
    category = Core.CATEGORY_NAME,
    elementType = Appender.ELEMENT_TYPE,
    printObject = true)
public final class CordwoodAppender extends AbstractAppender {
  /** The element in a configuration. */
  public static final String PLUGIN_NAME = "Cordwood";

  private static final String STOP_TIME = "io.cordwood.stopTime";

  private final EventBytesPool pool = new EventBytesPool();
  private final ForwarderOptions options;
  private final Duration stopTimeout;
  private final @Nullable Configuration configuration;
  private volatile @Nullable LoggingForwarder forwarder;
  private volatile StopTime stopTime = new StopTime();

  private CordwoodAppender(Builder builder, ForwarderOptions options, Duration stopTimeout) {
    super(
        builder.getName(),
        builder.getFilter(),
        builder.getOrCreateLayout(StandardCharsets.UTF_8),
        builder.isIgnoreExceptions(),
        builder.getPropertyArray());
    this.options = options;
    this.stopTimeout = stopTimeout;
    this.configuration = builder.getConfiguration();
  }

  @PluginBuilderFactory
  public static Builder newBuilder() {
    return new Builder();
  }

  @Override
  public void start() {
    setStarting();
    stopTime = stopTime();
    forwarder = LoggingForwarder.start(options, new Status(getName()), this::isEnding);
    super.start();
  }

  /** That of all appenders of the configuration, since it stops all of them at its end. */
  private StopTime stopTime() {
    if (configuration == null) {
      return new StopTime();
    }
    Object shared = configuration.getComponent(STOP_TIME);
    if (shared instanceof StopTime time && !time.hasBegun()) {
      return time;
    }
    var first = new StopTime();
    configuration.addComponent(STOP_TIME, first);
    return first;
  }

  /** Log4j stops no appender before the events that are under way have ended. */
  private boolean isEnding() {
    return configuration != null
        && (configuration.getState() == State.STOPPING || configuration.isStopped());
  }

  /**
   * Encodes the event and hands it on. What a layout throws is passed on to Log4j, after it was
   * counted.
   *
   * @throws AppenderLoggingException when it was dropped and {@code ignoreExceptions="false"}, so
   *     that a failover takes it
   */
  @Override
  public void append(LogEvent event) {
    LoggingForwarder to = Objects.requireNonNull(forwarder, "not started");
    EventBytes bytes = pool.take();
    encode(event, bytes, to);
    boolean taken = to.append(bytes.array(), 0, bytes.length());
    pool.giveBack(bytes);
    if (!taken && !ignoreExceptions()) {
      throw new AppenderLoggingException(
          "appender " + getName() + ": the event was dropped; counters() says why");
    }
  }

  private void encode(LogEvent event, EventBytes bytes, LoggingForwarder to) {
    boolean encoded = false;
    try {
      getLayout().encode(event, bytes);
      encoded = true;
    } finally {
      if (!encoded) {
        to.notEncoded();
      }
    }
  }

  /**
   * Waits for {@code stopTimeout}, or for the configuration's {@code shutdownTimeout} if that is
   * less; all appenders of a configuration that ends together wait no longer than that.
   *
   * @param timeout is not looked at: Log4j's own way to stop gives 50 ms, whatever is configured
   */
  @Override
  public boolean stop(long timeout, TimeUnit unit) {
    setStopping();
    super.stop(timeout, unit, false);
    LoggingForwarder stopped = forwarder;
    if (stopped != null) {
      stopped.stop(stopWithin(), isEnding() ? stopTime : new StopTime());
    }
    setStopped();
    return true;
  }

  private Duration stopWithin() {
    long millis = configuration == null ? 0 : configuration.getShutdownTimeoutMillis();
    return millis > 0 && millis < stopTimeout.toMillis() ? Duration.ofMillis(millis) : stopTimeout;
  }

  /**
   * Waits until all events so far are acknowledged, for {@code stopTimeout} at most; goes on taking
   * events. Does nothing before the first start.
   */
  public void flush() {
    LoggingForwarder started = forwarder;
    if (started != null) {
      started.await(stopTimeout);
    }
  }

  /**
   * The counters of events since the last start.
   *
   * @throws NullPointerException before the first start
   */
  public ForwarderCounters counters() {
    return Objects.requireNonNull(forwarder, "not started").counters();
  }

  /** Says things through Log4j's status logger; losses even where that is told to be quiet. */
  private record Status(String appender) implements AppenderStatus {
    @Override
    public void info(String message) {
      LOGGER.info("Cordwood appender {}: {}", appender, message);
    }

    @Override
    public void warn(String message) {
      LOGGER.warn("Cordwood appender {}: {}", appender, message);
    }

    @Override
    public void error(String message) {
      LOGGER.error("Cordwood appender {}: {}", appender, message);
      if (!LOGGER.isErrorEnabled()) {
        System.err.println("ERROR Cordwood appender " + appender + ": " + message);
      }
    }
  }

  /**
   * Takes the attributes of a configuration, as they stand there; {@link AppenderSettings} says
   * what each is.
   */
  public static final class Builder extends AbstractAppender.Builder<Builder>
      implements org.apache.logging.log4j.core.util.Builder<CordwoodAppender> {
    @PluginBuilderAttribute
    @Required(message = "expected targets such as \"log1,log2:7652\", found none")
    private @Nullable String targets;

    @PluginBuilderAttribute private @Nullable String topic;
    @PluginBuilderAttribute private @Nullable String labels;
    @PluginBuilderAttribute private @Nullable String mode;
    @PluginBuilderAttribute private @Nullable String memory;
    @PluginBuilderAttribute private @Nullable String whenFull;
    @PluginBuilderAttribute private @Nullable String linger;
    @PluginBuilderAttribute private @Nullable String tlsCa;
    @PluginBuilderAttribute private @Nullable String connectTimeout;
    @PluginBuilderAttribute private @Nullable String ackTimeout;
    @PluginBuilderAttribute private @Nullable String maxConnectionAge;
    @PluginBuilderAttribute private @Nullable String stopTimeout;

    @PluginBuilderAttribute(sensitive = true)
    private @Nullable String token;

    @PluginBuilderAttribute private @Nullable String tokenFile;
    @PluginBuilderAttribute private @Nullable String spoolDir;
    @PluginBuilderAttribute private @Nullable String spoolSize;
    @PluginBuilderAttribute private @Nullable String balance;

    private final AppenderSettings settings = new AppenderSettings();

    private Builder() {}

    /** Sets what the setter of this name sets, unless that is used. */
    public Builder configure(AppenderSetting setting, String value) {
      settings.set(setting, value);
      return this;
    }

    public Builder setTargets(String value) {
      targets = value;
      return this;
    }

    public Builder setTopic(String value) {
      topic = value;
      return this;
    }

    public Builder setLabels(String value) {
      labels = value;
      return this;
    }

    public Builder setMode(String value) {
      mode = value;
      return this;
    }

    public Builder setMemory(String value) {
      memory = value;
      return this;
    }

    public Builder setWhenFull(String value) {
      whenFull = value;
      return this;
    }

    public Builder setLinger(String value) {
      linger = value;
      return this;
    }

    public Builder setTlsCa(String value) {
      tlsCa = value;
      return this;
    }

    public Builder setConnectTimeout(String value) {
      connectTimeout = value;
      return this;
    }

    public Builder setAckTimeout(String value) {
      ackTimeout = value;
      return this;
    }

    public Builder setMaxConnectionAge(String value) {
      maxConnectionAge = value;
      return this;
    }

    public Builder setStopTimeout(String value) {
      stopTimeout = value;
      return this;
    }

    public Builder setToken(String value) {
      token = value;
      return this;
    }

    public Builder setTokenFile(String value) {
      tokenFile = value;
      return this;
    }

    public Builder setSpoolDir(String value) {
      spoolDir = value;
      return this;
    }

    public Builder setSpoolSize(String value) {
      spoolSize = value;
      return this;
    }

    public Builder setBalance(String value) {
      balance = value;
      return this;
    }

    /** An appender that is not started; null, and an error in the status log, for bad settings. */
    @Override
    public @Nullable CordwoodAppender build() {
      takeAttributes();
      try {
        return new CordwoodAppender(this, settings.options(), settings.stopTimeout());
      } catch (IllegalArgumentException e) {
        LOGGER.error("Cordwood appender {}: {}", getName(), e.getMessage());
        return null;
      }
    }

    private void takeAttributes() {
      take(AppenderSetting.TARGETS, targets);
      take(AppenderSetting.TOPIC, topic);
      take(AppenderSetting.LABELS, labels);
      take(AppenderSetting.MODE, mode);
      take(AppenderSetting.MEMORY, memory);
      take(AppenderSetting.WHEN_FULL, whenFull);
      take(AppenderSetting.LINGER, linger);
      take(AppenderSetting.TLS_CA, tlsCa);
      take(AppenderSetting.CONNECT_TIMEOUT, connectTimeout);
      take(AppenderSetting.ACK_TIMEOUT, ackTimeout);
      take(AppenderSetting.MAX_CONNECTION_AGE, maxConnectionAge);
      take(AppenderSetting.STOP_TIMEOUT, stopTimeout);
      take(AppenderSetting.TOKEN, token);
      take(AppenderSetting.TOKEN_FILE, tokenFile);
      take(AppenderSetting.SPOOL_DIR, spoolDir);
      take(AppenderSetting.SPOOL_SIZE, spoolSize);
      take(AppenderSetting.BALANCE, balance);
    }

    private void take(AppenderSetting setting, @Nullable String value) {
      if (value != null) {
        settings.set(setting, value);
      }
    }
  }
}
