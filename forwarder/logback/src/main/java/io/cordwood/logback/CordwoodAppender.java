package io.cordwood.logback;

import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.status.OnPrintStreamStatusListenerBase;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.status.StatusManager;
import io.cordwood.forwarder.AppenderSetting;
import io.cordwood.forwarder.AppenderSettings;
import io.cordwood.forwarder.AppenderStatus;
import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.LoggingForwarder;
import io.cordwood.forwarder.StopTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends events to Cordwood's ingest nodes, each as one record, whatever lines it has.
 *
 * <p>Appending copies an event into memory and returns; it waits only under {@code whenFull} {@code
 * block} and never connects. Starting does not wait for a node; stopping waits for {@code
 * stopTimeout} at most, and so does the end of a JVM that stops nothing. What is not acknowledged
 * is sent again, to any of the targets, until it is.
 *
 * @param <E> what the encoder takes
 */
public final class CordwoodAppender<E> extends UnsynchronizedAppenderBase<E> {
  private static final long ERROR_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final String STOP_TIME = "io.cordwood.stopTime";

  private final AppenderSettings settings = new AppenderSettings();
  private final AtomicLong nextErrorNanos = new AtomicLong(System.nanoTime());
  private @Nullable Encoder<E> encoder;
  private @Nullable FlushAtExit atExit;
  private volatile Duration stopTimeout = Duration.ZERO;
  private StopTime stopTime = new StopTime();
  private volatile @Nullable LoggingForwarder forwarder;

  /** Sets what the setter of this name sets. */
  public void configure(AppenderSetting setting, String value) {
    settings.set(setting, value);
  }

  public void setEncoder(Encoder<E> value) {
    encoder = value;
  }

  public void setTargets(String value) {
    settings.set(AppenderSetting.TARGETS, value);
  }

  public void setTopic(String value) {
    settings.set(AppenderSetting.TOPIC, value);
  }

  public void setLabels(String value) {
    settings.set(AppenderSetting.LABELS, value);
  }

  public void setMode(String value) {
    settings.set(AppenderSetting.MODE, value);
  }

  public void setMemory(String value) {
    settings.set(AppenderSetting.MEMORY, value);
  }

  public void setWhenFull(String value) {
    settings.set(AppenderSetting.WHEN_FULL, value);
  }

  public void setLinger(String value) {
    settings.set(AppenderSetting.LINGER, value);
  }

  public void setTlsCa(String value) {
    settings.set(AppenderSetting.TLS_CA, value);
  }

  public void setConnectTimeout(String value) {
    settings.set(AppenderSetting.CONNECT_TIMEOUT, value);
  }

  public void setAckTimeout(String value) {
    settings.set(AppenderSetting.ACK_TIMEOUT, value);
  }

  public void setMaxConnectionAge(String value) {
    settings.set(AppenderSetting.MAX_CONNECTION_AGE, value);
  }

  public void setStopTimeout(String value) {
    settings.set(AppenderSetting.STOP_TIMEOUT, value);
  }

  public void setToken(String value) {
    settings.set(AppenderSetting.TOKEN, value);
  }

  public void setTokenFile(String value) {
    settings.set(AppenderSetting.TOKEN_FILE, value);
  }

  public void setSpoolDir(String value) {
    settings.set(AppenderSetting.SPOOL_DIR, value);
  }

  public void setSpoolSize(String value) {
    settings.set(AppenderSetting.SPOOL_SIZE, value);
  }

  public void setBalance(String value) {
    settings.set(AppenderSetting.BALANCE, value);
  }

  /** Starts, without waiting for a node; with bad settings it says so and stays as it is. */
  @Override
  public void start() {
    if (isStarted()) {
      return;
    }
    if (encoder == null) {
      addError("Cordwood appender " + name + ": expected an encoder, found none");
      return;
    }
    try {
      ForwarderOptions options = settings.options();
      stopTimeout = settings.stopTimeout();
      stopTime = stopTime();
      LoggingForwarder started = LoggingForwarder.start(options, new Status(), () -> false);
      forwarder = started;
      atExit = FlushAtExit.of(started, stopTimeout);
    } catch (IllegalArgumentException e) {
      addError("Cordwood appender " + name + ": " + e.getMessage());
      return;
    }
    super.start();
  }

  /** That of all appenders of the context, since it stops all of them at its end. */
  private StopTime stopTime() {
    if (context == null) {
      return new StopTime();
    }
    if (context.getObject(STOP_TIME) instanceof StopTime time && !time.hasBegun()) {
      return time;
    }
    var first = new StopTime();
    context.putObject(STOP_TIME, first);
    return first;
  }

  /** Whether others are not stopped with it: a context forgets its objects first. */
  private boolean isAlone() {
    return context == null || context.getObject(STOP_TIME) == stopTime;
  }

  @Override
  protected void append(E event) {
    LoggingForwarder to = Objects.requireNonNull(forwarder);
    byte[] bytes = encoded(event, to);
    if (bytes != null) {
      to.append(bytes, 0, bytes.length);
    }
  }

  /** An encoder's fault costs its event alone, and is told once in 30 s. */
  @SuppressWarnings("NullAway") // an encoder of an application may well return null
  private byte @Nullable [] encoded(E event, LoggingForwarder to) {
    try {
      return Objects.requireNonNull(
          Objects.requireNonNull(encoder).encode(event), "the encoder returned null");
    } catch (RuntimeException | StackOverflowError e) {
      to.notEncoded();
      long now = System.nanoTime();
      long next = nextErrorNanos.get();
      if (now - next >= 0 && nextErrorNanos.compareAndSet(next, now + ERROR_PAUSE_NANOS)) {
        addError("Cordwood appender " + name + ": an event could not be encoded", e);
        new Status().printLoss("an event could not be encoded: " + e);
      }
      return null;
    }
  }

  @Override
  public void stop() {
    if (!isStarted()) {
      return;
    }
    super.stop();
    if (atExit != null) {
      atExit.cancel();
    }
    Objects.requireNonNull(forwarder).stop(stopTimeout, isAlone() ? new StopTime() : stopTime);
    Objects.requireNonNull(encoder).stop();
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

  /**
   * Says things through Logback's status manager. That prints nothing unless it is asked to, so
   * what is in danger goes to standard error where nobody listens to it, and what is lost where
   * nobody prints it.
   */
  private final class Status implements AppenderStatus {
    @Override
    public void info(String message) {
      addInfo(named(message));
    }

    @Override
    public void warn(String message) {
      addWarn(named(message));
      if (listeners().isEmpty()) {
        System.err.println("WARN " + named(message));
      }
    }

    @Override
    public void error(String message) {
      addError(named(message));
      printLoss(message);
    }

    void printLoss(String message) {
      if (listeners().stream().noneMatch(OnPrintStreamStatusListenerBase.class::isInstance)) {
        System.err.println("ERROR " + named(message));
      }
    }

    private List<StatusListener> listeners() {
      StatusManager manager = context == null ? null : context.getStatusManager();
      return manager == null ? List.of() : manager.getCopyOfStatusListenerList();
    }

    private String named(String message) {
      return "Cordwood appender " + name + ": " + message;
    }
  }
}
