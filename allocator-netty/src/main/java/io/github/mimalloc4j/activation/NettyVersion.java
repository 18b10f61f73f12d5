package io.github.mimalloc4j.activation;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The oldest supported version of Netty, and the version that a class loader has. */
public final class NettyVersion {

  /** The oldest version on which all tests run. They also run on newer versions of 4.1 and 4.2. */
  private static final String MINIMUM = "4.1.118";

  private static final String RESOURCE = "META-INF/io.netty.versions.properties";
  private static final Pattern NUMBERS =
      Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})\\b.*");
  private static final int[] MINIMUM_NUMBERS =
      Pattern.compile("\\.").splitAsStream(MINIMUM).mapToInt(Integer::parseInt).toArray();

  private NettyVersion() {}

  /**
   * Returns why the version of Netty that a class loader sees is not supported; null if it is. A
   * Netty that does not state its version, as in some repackaged applications, is accepted here,
   * because its classes are checked as well.
   */
  public static @Nullable String problem(@Nullable ClassLoader loader) {
    for (String module : List.of("netty-buffer", "netty-common")) {
      List<String> versions = versions(loader, module + ".version");
      // If there are several versions, it is not known here which of them is in use.
      if (!versions.isEmpty() && versions.stream().noneMatch(NettyVersion::isSupported)) {
        return module + " is version " + versions.get(0) + "; " + MINIMUM + " or newer is needed";
      }
    }
    return null;
  }

  /** Returns whether a version is not too old. Versions of unknown format are supported. */
  public static boolean isSupported(String version) {
    Matcher matcher = NUMBERS.matcher(version);
    if (!matcher.matches()) {
      return true;
    }
    for (int i = 0; i < MINIMUM_NUMBERS.length; i++) {
      int difference = Integer.compare(Integer.parseInt(matcher.group(i + 1)), MINIMUM_NUMBERS[i]);
      if (difference != 0) {
        return difference > 0;
      }
    }
    return true;
  }

  private static List<String> versions(@Nullable ClassLoader loader, String key) {
    List<String> versions = new ArrayList<>();
    try {
      for (URL url :
          Collections.list(
              loader == null
                  ? ClassLoader.getSystemResources(RESOURCE)
                  : loader.getResources(RESOURCE))) {
        String version = load(url).getProperty(key);
        if (version != null) {
          versions.add(version);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      return List.of(); // Treated as if Netty did not state its version.
    }
    return versions;
  }

  private static Properties load(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    // A cached jar file would stay open, and other code that shares it might close it.
    connection.setUseCaches(false);
    Properties properties = new Properties();
    try (InputStream in = connection.getInputStream()) {
      properties.load(in);
    }
    return properties;
  }
}
