package com.example.shop;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Takes some orders, of which one fails. */
public final class Shop {
  private static final Logger LOG = LogManager.getLogger(Shop.class);
  private static final int FAILING_ORDER = 3;

  private Shop() {}

  /** Runs it; it stops no logging. */
  public static void main(String[] args) {
    for (int order = 1; order <= 5; order++) {
      try {
        take(order);
        LOG.info("order {} taken", order);
      } catch (IllegalStateException e) {
        LOG.error("order {} failed", order, e);
      }
    }
  }

  private static void take(int order) {
    try {
      pay(order);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("not paid", e);
    }
  }

  private static void pay(int order) {
    if (order == FAILING_ORDER) {
      throw new IllegalArgumentException("no such card");
    }
  }
}
