package io.cordwood.common.cluster;

import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MemberStatus;
import io.scalecube.cluster.transport.api.Message;
import java.io.Externalizable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classes of what gossip carries. The library's are package-private, so they are known by name,
 * and each is looked up once.
 *
 * <p>They can be made in no other way than through their public no-argument constructors, which
 * Java does not let us call by name. Only the constants below are ever looked up: nothing that came
 * from the network chooses a class.
 */
final class PeerClasses {
  private static final String ROOT = "io.scalecube.cluster.";
  private static final Map<WireType, MethodHandle> CONSTRUCTORS = new EnumMap<>(WireType.class);
  private static final Class<?> ACK = find("fdetector.PingData$AckType");
  private static final Object[] ACKS = ACK.getEnumConstants();

  static {
    add(WireType.RECORD, "membership.MembershipRecord");
    add(WireType.PING, "fdetector.PingData");
    add(WireType.SYNC, "membership.SyncData");
    add(WireType.GOSSIP, "gossip.Gossip");
    add(WireType.GOSSIP_REQUEST, "gossip.GossipRequest");
    add(WireType.METADATA_REQUEST, "metadata.GetMetadataRequest");
    add(WireType.METADATA_RESPONSE, "metadata.GetMetadataResponse");
  }

  private static final Class<?> REQUEST = find("gossip.GossipRequest");
  private static final MethodHandle GOSSIPS = method(REQUEST, "gossips", List.class);
  private static final MethodHandle FROM = method(REQUEST, "from", String.class);
  private static final MethodHandle NEWS = method(find("gossip.Gossip"), "message", Message.class);
  private static final MethodHandle NEW_REQUEST = newRequest();

  private PeerClasses() {}

  /** An empty object of a type, to be filled by its own {@code readExternal}. */
  static Externalizable blank(WireType type) throws GossipFormatException {
    if (type == WireType.RECOLLECTION) {
      return new Recollection();
    }
    MethodHandle constructor = CONSTRUCTORS.get(type);
    if (constructor == null) {
      throw new GossipFormatException("no object can be made of a " + type);
    }
    try {
      return (Externalizable) constructor.invoke();
    } catch (Throwable e) {
      throw new LinkageError("a blank " + type + " could not be made", e);
    }
  }

  static WireType typeOf(@Nullable Object object) throws GossipFormatException {
    return switch (object) {
      case null -> WireType.NULL;
      case Member _ -> WireType.MEMBER;
      case MemberStatus _ -> WireType.STATUS;
      case Message _ -> WireType.NEWS;
      case Recollection _ -> WireType.RECOLLECTION;
      default -> ofLibrary(object);
    };
  }

  private static WireType ofLibrary(Object object) throws GossipFormatException {
    if (ACK.isInstance(object)) {
      return WireType.ACK;
    }
    for (Map.Entry<WireType, MethodHandle> entry : CONSTRUCTORS.entrySet()) {
      if (entry.getValue().type().returnType() == object.getClass()) {
        return entry.getKey();
      }
    }
    throw new GossipFormatException("not a gossip object: " + object.getClass().getName());
  }

  static Object ack(int ordinal) throws GossipFormatException {
    if (ordinal >= ACKS.length) {
      throw new GossipFormatException("unknown answer to a probe: " + ordinal);
    }
    return ACKS[ordinal];
  }

  /** The gossips that a gossip request carries. */
  static List<?> gossips(Message request) {
    try {
      return (List<?>) GOSSIPS.invoke(request.<Object>data());
    } catch (Throwable e) {
      throw new IllegalArgumentException("not a gossip request: " + request, e);
    }
  }

  /**
   * One request with the gossips of all these, which have one sender; of gossips with one piece of
   * news, the first.
   */
  static Message bundle(List<Message> requests) {
    Message first = requests.getFirst();
    if (requests.size() == 1) {
      return first;
    }
    try {
      Map<Object, Object> byNews = new LinkedHashMap<>();
      for (Message request : requests) {
        for (Object gossip : gossips(request)) {
          byNews.putIfAbsent(((Message) NEWS.invoke(gossip)).data(), gossip);
        }
      }
      Object from = FROM.invoke(first.<Object>data());
      List<Object> gossips = List.copyOf(byNews.values());
      return Message.with(first).data(NEW_REQUEST.invoke(gossips, from)).build();
    } catch (Throwable e) {
      throw new LinkageError("gossips could not be put into one request", e);
    }
  }

  private static MethodHandle method(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVirtual(owner, name, MethodType.methodType(type));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the gossip library has no " + name + " of a " + owner, e);
    }
  }

  private static MethodHandle newRequest() {
    try {
      return MethodHandles.privateLookupIn(REQUEST, MethodHandles.lookup())
          .findConstructor(REQUEST, MethodType.methodType(void.class, List.class, String.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the gossip library has no request of several gossips", e);
    }
  }

  private static void add(WireType type, String name) {
    Class<?> found = find(name);
    try {
      CONSTRUCTORS.put(
          type,
          MethodHandles.privateLookupIn(found, MethodHandles.lookup())
              .findConstructor(found, MethodType.methodType(void.class)));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the gossip library has no blank " + name, e);
    }
  }

  private static Class<?> find(String name) {
    try {
      return Class.forName(ROOT + name);
    } catch (ClassNotFoundException e) {
      throw new LinkageError("the gossip library has no class " + ROOT + name, e);
    }
  }
}
