package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.TestServer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 without an upgrade, frame by frame. */
class PriorKnowledgeTest {
  private final TestServer server = new TestServer();
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
  private Channel connection;

  @BeforeEach
  void connect() throws InterruptedException {
    connection =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .handler(new ClientSetup())
            .connect("127.0.0.1", server.port())
            .sync()
            .channel();
  }

  @AfterEach
  void closeAll() throws InterruptedException {
    connection.close().sync();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    server.close();
  }

  private void send(String method, String path) throws Exception {
    Http2StreamChannel stream =
        new Http2StreamChannelBootstrap(connection).handler(new Recorder()).open().get();
    Http2Headers headers =
        new DefaultHttp2Headers().method(method).path(path).scheme("http").authority("x");
    stream.writeAndFlush(new DefaultHttp2HeadersFrame(headers, true)).sync();
  }

  private String next() throws InterruptedException {
    String frame = frames.poll(TestServer.LONG.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(frame).as("a frame").isNotNull();
    return frame;
  }

  @Test
  void shortAnswerComes() throws Exception {
    send("GET", "/livez");
    assertThat(next()).startsWith("headers 200").contains("content-length=3");
    assertThat(next()).isEqualTo("data ok\n end");
  }

  @Test
  void trailersFollowTheBody() throws Exception {
    server.routes.get(
        "/trailed",
        (_, response) -> {
          response.body().write("body".getBytes(UTF_8));
          response.body().flush();
          response.trailer("complete", "yes");
        });
    send("GET", "/trailed");
    assertThat(next()).startsWith("headers 200");
    assertThat(next()).isEqualTo("data body");
    assertThat(next()).startsWith("headers null complete=yes").endsWith("end");
  }

  @Test
  void answerThatBreaksOffIsReset() throws Exception {
    server.routes.get(
        "/half",
        (_, response) -> {
          response.body().write("half".getBytes(UTF_8));
          response.body().flush();
          throw new HttpError(500, "on purpose");
        });
    send("GET", "/half");
    assertThat(next()).startsWith("headers 200");
    assertThat(next()).isEqualTo("data half");
    assertThat(next()).isEqualTo("reset 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "CONNECT"})
  void streamWithoutAPathIsResetAndTheOthersGoOn(String method) throws Exception {
    Http2StreamChannel stream =
        new Http2StreamChannelBootstrap(connection).handler(new Recorder()).open().get();
    stream
        .writeAndFlush(
            new DefaultHttp2HeadersFrame(
                new DefaultHttp2Headers().method(method).authority("x"), true))
        .sync();
    assertThat(next()).startsWith("reset");
    send("GET", "/livez");
    assertThat(next()).startsWith("headers 200");
  }

  private static final class ClientSetup extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(
              Http2FrameCodecBuilder.forClient().build(),
              new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
    }
  }

  /** Puts what arrives on a stream into words. */
  private final class Recorder extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
      switch (frame) {
        case Http2HeadersFrame headers -> frames.add(words(headers));
        case Http2DataFrame data ->
            frames.add("data " + data.content().toString(UTF_8) + end(data.isEndStream()));
        default -> {}
      }
      ReferenceCountUtil.release(frame);
    }

    private String words(Http2HeadersFrame frame) {
      StringBuilder words = new StringBuilder("headers " + frame.headers().status());
      frame.headers().forEach(e -> words.append(' ').append(e.getKey() + "=" + e.getValue()));
      return words + end(frame.isEndStream());
    }

    private static String end(boolean last) {
      return last ? " end" : "";
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof Http2ResetFrame reset) {
        frames.add("reset " + reset.errorCode());
      }
      ReferenceCountUtil.release(event);
    }
  }
}
