package io.cordwood.log4j2;

import java.nio.charset.StandardCharsets;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginFactory;
import org.apache.logging.log4j.core.layout.AbstractStringLayout;

/** Throws for the event {@code bad}, after it has begun to write. */
@Plugin(name = "ThrowingLayout", category = "Core", elementType = "layout")
public final class ThrowingLayout extends AbstractStringLayout {
  private ThrowingLayout() {
    super(StandardCharsets.UTF_8);
  }

  @PluginFactory
  public static ThrowingLayout create() {
    return new ThrowingLayout();
  }

  @Override
  public String toSerializable(LogEvent event) {
    String message = event.getMessage().getFormattedMessage();
    if (message.equals("bad")) {
      throw new IllegalStateException("this layout throws");
    }
    return message;
  }
}
