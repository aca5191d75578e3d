package io.cordwood.logback;

import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.status.StatusManager;
import io.cordwood.forwarder.AppenderSettings;
import io.cordwood.forwarder.AppenderStatus;
import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.LoggingForwarder;
import io.cordwood.forwarder.StopTime;
import java.time.Duration;
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
  private Duration stopTimeout = Duration.ZERO;
  private StopTime stopTime = new StopTime();
  private volatile @Nullable LoggingForwarder forwarder;

  public void setEncoder(Encoder<E> value) {
    encoder = value;
  }

  public void setTargets(String value) {
    settings.targets(value);
  }

  public void setTopic(String value) {
    settings.topic(value);
  }

  public void setLabels(String value) {
    settings.labels(value);
  }

  public void setMode(String value) {
    settings.mode(value);
  }

  public void setMemory(String value) {
    settings.memory(value);
  }

  public void setWhenFull(String value) {
    settings.whenFull(value);
  }

  public void setLinger(String value) {
    settings.linger(value);
  }

  public void setTlsCa(String value) {
    settings.tlsCa(value);
  }

  public void setConnectTimeout(String value) {
    settings.connectTimeout(value);
  }

  public void setAckTimeout(String value) {
    settings.ackTimeout(value);
  }

  public void setMaxConnectionAge(String value) {
    settings.maxConnectionAge(value);
  }

  public void setStopTimeout(String value) {
    settings.stopTimeout(value);
  }

  public void setToken(String value) {
    settings.token(value);
  }

  public void setTokenFile(String value) {
    settings.tokenFile(value);
  }

  public void setSpoolDir(String value) {
    settings.spoolDir(value);
  }

  public void setSpoolSize(String value) {
    settings.spoolSize(value);
  }

  public void setBalance(String value) {
    settings.balance(value);
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
        new Status().print("ERROR ", "an event could not be encoded: " + e);
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
   * The counters of events since the last start.
   *
   * @throws NullPointerException before the first start
   */
  public ForwarderCounters counters() {
    return Objects.requireNonNull(forwarder, "not started").counters();
  }

  /**
   * Says things through Logback's status manager. That prints nothing unless it is asked to, so
   * what is lost or in danger goes to standard error where nobody listens to it.
   */
  private final class Status implements AppenderStatus {
    @Override
    public void info(String message) {
      addInfo(named(message));
    }

    @Override
    public void warn(String message) {
      addWarn(named(message));
      print("WARN ", message);
    }

    @Override
    public void error(String message) {
      addError(named(message));
      print("ERROR ", message);
    }

    private void print(String level, String message) {
      StatusManager manager = context == null ? null : context.getStatusManager();
      if (manager == null || manager.getCopyOfStatusListenerList().isEmpty()) {
        System.err.println(level + named(message));
      }
    }

    private String named(String message) {
      return "Cordwood appender " + name + ": " + message;
    }
  }
}
