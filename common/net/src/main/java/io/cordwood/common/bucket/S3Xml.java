package io.cordwood.common.bucket;

import io.cordwood.common.bucket.Bucket.Entry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads what S3 and STS answer: lists, errors, credentials. Entities and document types are
 * refused.
 */
final class S3Xml {
  private static final XMLInputFactory FACTORY = factory();

  private S3Xml() {}

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    return factory;
  }

  /** A list as it came. */
  record Listed(List<Entry> entries, boolean truncated) {}

  /**
   * An error; each part empty if it is not told.
   *
   * @param serverTime of the service's clock, if it refuses a request for its time
   */
  record Fault(String code, String message, String serverTime) {
    static final Fault NONE = new Fault("", "", "");
  }

  /**
   * Reads a page of {@code ListObjectsV2}.
   *
   * @throws IOException if it is none
   */
  static Listed list(byte[] xml) throws IOException {
    List<Entry> entries = new ArrayList<>();
    Optional<Boolean> truncated = Optional.empty();
    try {
      XMLStreamReader in = FACTORY.createXMLStreamReader(new ByteArrayInputStream(xml));
      start(in, "ListBucketResult");
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        switch (in.getLocalName()) {
          case "Contents" -> entries.add(entry(in));
          case "IsTruncated" -> truncated = Optional.of(in.getElementText().strip().equals("true"));
          default -> skip(in);
        }
      }
    } catch (XMLStreamException | DateTimeException | NumberFormatException e) {
      throw new IOException("expected a list of objects, found " + shown(xml), e);
    }
    return new Listed(
        entries,
        truncated.orElseThrow(() -> new IOException("expected a list that says IsTruncated")));
  }

  private static Entry entry(XMLStreamReader in) throws XMLStreamException {
    String key = "";
    String size = "";
    String modified = "";
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      switch (in.getLocalName()) {
        case "Key" -> key = in.getElementText();
        case "Size" -> size = in.getElementText().strip();
        case "LastModified" -> modified = in.getElementText().strip();
        default -> skip(in);
      }
    }
    return new Entry(key, Long.parseLong(size), Instant.parse(modified));
  }

  /** Reads an error; {@link Fault#NONE} if it is none that can be read. */
  static Fault fault(byte[] xml) {
    String code = "";
    String message = "";
    String serverTime = "";
    try {
      XMLStreamReader in = FACTORY.createXMLStreamReader(new ByteArrayInputStream(xml));
      start(in, "Error");
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        switch (in.getLocalName()) {
          case "Code" -> code = in.getElementText().strip();
          case "Message" -> message = in.getElementText().strip();
          case "ServerTime" -> serverTime = in.getElementText().strip();
          default -> skip(in);
        }
      }
      return new Fault(code, message, serverTime);
    } catch (XMLStreamException e) {
      return Fault.NONE;
    }
  }

  /**
   * Reads an answer of STS: the texts of all elements that have no others, by their names.
   *
   * @throws IOException if it is no XML
   */
  static Map<String, String> leaves(byte[] xml) throws IOException {
    Map<String, String> texts = new HashMap<>();
    var text = new StringBuilder();
    boolean isLeaf = false;
    try {
      XMLStreamReader in = FACTORY.createXMLStreamReader(new ByteArrayInputStream(xml));
      while (in.hasNext()) {
        int event = in.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          text.setLength(0);
          isLeaf = true;
        } else if (event == XMLStreamConstants.CHARACTERS) {
          text.append(in.getText());
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          if (isLeaf) {
            texts.put(in.getLocalName(), text.toString().strip());
          }
          isLeaf = false;
        }
      }
    } catch (XMLStreamException e) {
      throw new IOException("expected XML, found " + shown(xml), e);
    }
    return texts;
  }

  private static void start(XMLStreamReader in, String name) throws XMLStreamException {
    if (in.nextTag() != XMLStreamConstants.START_ELEMENT || !in.getLocalName().equals(name)) {
      throw new XMLStreamException("expected " + name + ", found " + in.getLocalName());
    }
  }

  private static void skip(XMLStreamReader in) throws XMLStreamException {
    int depth = 1;
    while (depth > 0) {
      int event = in.next();
      depth += event == XMLStreamConstants.START_ELEMENT ? 1 : 0;
      depth -= event == XMLStreamConstants.END_ELEMENT ? 1 : 0;
    }
  }

  private static String shown(byte[] xml) {
    return xml.length + " other bytes";
  }
}
