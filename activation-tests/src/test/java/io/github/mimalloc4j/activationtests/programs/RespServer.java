package io.github.mimalloc4j.activationtests.programs;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** As much of a Redis server as a client needs to store a value and to read it. Without Netty. */
final class RespServer implements AutoCloseable {

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
  private final Map<String, byte[]> values = new ConcurrentHashMap<>();

  RespServer() throws IOException {
    start(
        () -> {
          while (true) {
            Socket connection = server.accept();
            start(() -> serve(connection));
          }
        });
  }

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private void serve(Socket connection) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(connection.getInputStream()));
    OutputStream out = new BufferedOutputStream(connection.getOutputStream());
    while (true) {
      byte[][] command = new byte[number(in, '*')][];
      for (int i = 0; i < command.length; i++) {
        command[i] = new byte[number(in, '$')];
        in.readFully(command[i]);
        line(in);
      }
      answer(command, out);
      out.flush();
    }
  }

  private void answer(byte[][] command, OutputStream out) throws IOException {
    switch (text(command[0]).toUpperCase(Locale.ROOT)) {
      case "SET" -> {
        values.put(text(command[1]), command[2]);
        write(out, "+OK\r\n");
      }
      case "GET" -> {
        byte[] value = values.get(text(command[1]));
        write(out, "$" + value.length + "\r\n");
        out.write(value);
        write(out, "\r\n");
      }
      case "CLIENT" -> write(out, "+OK\r\n");
      case "PING" -> write(out, "+PONG\r\n");
      // Among them HELLO, as an older server would answer.
      default -> write(out, "-ERR unknown command\r\n");
    }
  }

  private static int number(DataInputStream in, char kind) throws IOException {
    String line = line(in);
    if (line.charAt(0) != kind) {
      throw new IOException("expected " + kind + ", got " + line);
    }
    return Integer.parseInt(line.substring(1));
  }

  private static String line(DataInputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (byte b = in.readByte(); b != '\n'; b = in.readByte()) {
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8).trim();
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The other side has closed the socket.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private interface Task {
    void run() throws IOException;
  }
}
