package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The positions and the order of the batches of some files: 41 bytes a batch, and 8 more while they
 * are sorted; each set of labels once. One thread.
 */
public final class BatchIndex {
  /** The heap of different labels at which no more are to be added. */
  public static final int MAX_LABEL_BYTES = 16 << 20;

  /** The objects of a set of labels, besides its bytes. */
  private static final int SET_BYTES = 200;

  private static final int START = 1 << 10;

  private final Map<Topic, Integer> topicIds = new HashMap<>();
  private final List<Topic> topics = new ArrayList<>();
  private final Map<Labels, Integer> labelsIds = new HashMap<>();
  private final List<Labels> labels = new ArrayList<>();
  private int[] topic = new int[START];
  private int[] labelsOf = new int[START];
  private long[] high = new long[START];
  private long[] low = new long[START];
  private int[] file = new int[START];
  private int[] position = new int[START];
  private int[] bytes = new int[START];
  private int[] records = new int[START];
  private boolean[] nul = new boolean[START];
  private int size;
  private long labelBytes;

  public int size() {
    return size;
  }

  /** The heap of labels that are held once. */
  public static int heldBytes(Labels set) {
    return set.isEmpty() ? 0 : SET_BYTES + set.bytes().length;
  }

  /** The heap of all labels here. */
  public long labelBytes() {
    return labelBytes;
  }

  /** Whether any batch has labels. */
  boolean hasLabels() {
    return labels.stream().anyMatch(set -> !set.isEmpty());
  }

  /**
   * Adds a batch.
   *
   * @param inFile number of the file it stands in
   * @param payloadAt where its payload begins there
   */
  public void add(Batch batch, int inFile, int payloadAt) {
    int payloadBytes = batch.payload().remaining();
    add(batch.topic(), batch.labels(), batch.first(), inFile, payloadAt, payloadBytes);
    records[size - 1] = batch.records();
    nul[size - 1] = batch.delimiter() == Delimiter.NUL;
  }

  /** Adds a batch of which only the header was read. */
  void add(BatchWalk.Head.From from, BatchHeader header, int payloadAt) {
    Ulid first = Ulid.firstOf(header);
    add(from.topic(), from.labels(), first, 0, payloadAt, header.payloadBytes());
    records[size - 1] = header.records();
    nul[size - 1] = header.delimiter() == Delimiter.NUL;
  }

  /**
   * Adds all batches of another index, which is of one file.
   *
   * @param inFile that file's number here
   */
  public void addAll(BatchIndex other, int inFile) {
    grow(size + other.size);
    int[] ids = other.topics.stream().mapToInt(this::id).toArray();
    int[] labelsHere = other.labels.stream().mapToInt(this::id).toArray();
    for (int i = 0; i < other.size; i++) {
      topic[size + i] = ids[other.topic[i]];
      labelsOf[size + i] = labelsHere[other.labelsOf[i]];
    }
    Arrays.fill(file, size, size + other.size, inFile);
    System.arraycopy(other.high, 0, high, size, other.size);
    System.arraycopy(other.low, 0, low, size, other.size);
    System.arraycopy(other.position, 0, position, size, other.size);
    System.arraycopy(other.bytes, 0, bytes, size, other.size);
    System.arraycopy(other.records, 0, records, size, other.size);
    System.arraycopy(other.nul, 0, nul, size, other.size);
    size += other.size;
  }

  private void add(
      Topic name, Labels from, Ulid first, int inFile, int payloadAt, int payloadBytes) {
    grow(size + 1);
    topic[size] = id(name);
    labelsOf[size] = id(from);
    high[size] = first.high();
    low[size] = first.low();
    file[size] = inFile;
    position[size] = payloadAt;
    bytes[size] = payloadBytes;
    size++;
  }

  private int id(Topic name) {
    return topicIds.computeIfAbsent(name, this::newTopic);
  }

  private int id(Labels set) {
    return labelsIds.computeIfAbsent(set, this::newLabels);
  }

  private int newLabels(Labels set) {
    labels.add(set);
    labelBytes += heldBytes(set);
    return labels.size() - 1;
  }

  private int newTopic(Topic name) {
    topics.add(name);
    return topics.size() - 1;
  }

  /** Makes room for that many entries. */
  private void grow(int entries) {
    if (entries <= topic.length) {
      return;
    }
    int length = Math.max(entries, 2 * topic.length);
    topic = Arrays.copyOf(topic, length);
    labelsOf = Arrays.copyOf(labelsOf, length);
    high = Arrays.copyOf(high, length);
    low = Arrays.copyOf(low, length);
    file = Arrays.copyOf(file, length);
    position = Arrays.copyOf(position, length);
    bytes = Arrays.copyOf(bytes, length);
    records = Arrays.copyOf(records, length);
    nul = Arrays.copyOf(nul, length);
  }

  public Topic topic(int entry) {
    return topics.get(topic[entry]);
  }

  public Labels labels(int entry) {
    return labels.get(labelsOf[entry]);
  }

  public Ulid first(int entry) {
    return new Ulid(high[entry], low[entry]);
  }

  public int file(int entry) {
    return file[entry];
  }

  public int position(int entry) {
    return position[entry];
  }

  public int bytes(int entry) {
    return bytes[entry];
  }

  public int records(int entry) {
    return records[entry];
  }

  public Delimiter delimiter(int entry) {
    return nul[entry] ? Delimiter.NUL : Delimiter.LF;
  }

  /** Bytes of the batch before its payload. */
  public int headBytes(int entry) {
    return BatchHeader.BYTES + topic(entry).name().length() + labels(entry).bytes().length;
  }

  /** Whether two entries are the same batch. */
  public boolean isSame(int a, int b) {
    return topic[a] == topic[b]
        && high[a] == high[b]
        && low[a] == low[b]
        && labelsOf[a] == labelsOf[b];
  }

  /**
   * The entries by topic, first ULID and labels; equal ones in the order in which they were added.
   */
  public int[] sorted() {
    int[] ranks = ranks();
    int[] from = new int[size];
    int[] to = new int[size];
    for (int i = 0; i < size; i++) {
      from[i] = i;
    }
    for (int width = 1; width < size && width > 0; width *= 2) {
      for (int start = 0; start < size; start += 2 * width) {
        merge(ranks, from, to, start, width);
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    return from;
  }

  private int[] ranks() {
    List<Topic> byName = topics.stream().sorted(Comparator.naturalOrder()).toList();
    int[] ranks = new int[byName.size()];
    for (int rank = 0; rank < ranks.length; rank++) {
      ranks[topicIds.getOrDefault(byName.get(rank), 0)] = rank;
    }
    return ranks;
  }

  private void merge(int[] ranks, int[] from, int[] to, int start, int width) {
    int middle = Math.min(start + width, size);
    int end = Math.min(middle + width, size);
    int left = start;
    int right = middle;
    for (int at = start; at < end; at++) {
      boolean takeLeft =
          right == end || (left < middle && compare(ranks, from[left], from[right]) <= 0);
      to[at] = takeLeft ? from[left++] : from[right++];
    }
  }

  private int compare(int[] ranks, int a, int b) {
    int order = Integer.compare(ranks[topic[a]], ranks[topic[b]]);
    order = order != 0 ? order : Long.compareUnsigned(high[a], high[b]);
    order = order != 0 ? order : Long.compareUnsigned(low[a], low[b]);
    return order != 0 || labelsOf[a] == labelsOf[b] ? order : labels(a).compareTo(labels(b));
  }
}
