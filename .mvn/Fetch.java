import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Run by {@code ./mvnw} where there is no curl: copies what is at an address to a file. */
final class Fetch {
  private Fetch() {}

  public static void main(String[] addressAndFile) throws IOException {
    try (InputStream content = URI.create(addressAndFile[0]).toURL().openStream()) {
      Files.copy(content, Path.of(addressAndFile[1]));
    }
  }
}
