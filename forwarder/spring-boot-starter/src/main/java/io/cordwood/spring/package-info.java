/**
 * The starter for Spring Boot: attaches an appender to the root logger of the logging framework
 * that the application has, as its properties say.
 */
@NullMarked
package io.cordwood.spring;

import org.jspecify.annotations.NullMarked;
