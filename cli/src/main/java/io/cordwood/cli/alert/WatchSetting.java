package io.cordwood.cli.alert;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The surroundings of a watch.
 *
 * @param clock by which windows are due
 * @param says hears each change, in a line
 * @param firstPause after a message that could not be sent; doubles up to five minutes
 */
public record WatchSetting(InstantSource clock, Consumer<String> says, Duration firstPause) {}
