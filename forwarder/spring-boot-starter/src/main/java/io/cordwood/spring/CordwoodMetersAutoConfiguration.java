package io.cordwood.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;

/** The appender's meters, where there is Micrometer. */
@AutoConfiguration
@ConditionalOnClass(MeterBinder.class)
class CordwoodMetersAutoConfiguration {
  @Bean
  MeterBinder cordwoodMeters() {
    return new CordwoodMeters(LoggingSystem.get(getClass().getClassLoader()));
  }
}
