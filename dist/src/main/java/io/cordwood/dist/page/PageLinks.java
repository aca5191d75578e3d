package io.cordwood.dist.page;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code GET /links}: to where the page makes values of fields lead, such as a trace. A template is
 * an address with {@code {value}} in it, after its host: no record can choose another one.
 *
 * @param templates by the names of fields, those of labels with {@code @} before them
 */
public record PageLinks(Map<String, String> templates) {
  static final int MAX_LINKS = 100;

  private static final String VALUE = "{value}";
  private static final Pattern TEMPLATE =
      Pattern.compile("https?://[^/?#{}\\s]+[/?#].*\\{value\\}.*");

  /**
   * Reads templates, each {@code NAME=ADDRESS}.
   *
   * @throws IllegalArgumentException if one is none, or there are too many
   */
  public static PageLinks parse(List<String> given) {
    if (given.size() > MAX_LINKS) {
      throw new IllegalArgumentException(
          "expected at most %d links, found %d".formatted(MAX_LINKS, given.size()));
    }
    Map<String, String> templates = new LinkedHashMap<>();
    for (String each : given) {
      int end = each.indexOf('=');
      String template = each.substring(end + 1);
      if (end < 1 || !TEMPLATE.matcher(template).matches() || !isAddress(template)) {
        throw new IllegalArgumentException(
            "expected NAME=https://HOST/… with {value} after the host, found '" + each + "'");
      }
      if (templates.put(each.substring(0, end), template) != null) {
        throw new IllegalArgumentException(
            "expected one link of a field, found another one: '" + each + "'");
      }
    }
    return new PageLinks(templates);
  }

  private static boolean isAddress(String template) {
    try {
      URI address = new URI(template.replace(VALUE, "value"));
      return address.getHost() != null && address.getUserInfo() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Adds the path that the page asks for them. */
  public void addTo(Routes routes) {
    routes.get(ApiPaths.LINKS, Params.of(), (_, response) -> answer(response));
  }

  private void answer(Response response) {
    response.header("cache-control", "no-cache");
    response.json(json -> templates.forEach(json::writeStringProperty));
  }
}
