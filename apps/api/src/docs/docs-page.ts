/** Names of the parts that the page offers, the one first that it opens with, and the tags of each. */
export interface DocsPart {
  name: string;
  url: string;
}

/** No script and no style of its own, so that the policy may forbid them; paths relative, so that a prefix does no harm. */
export const docsHtml = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Heddle API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/swagger-ui-standalone-preset.js"></script>
    <script src="docs/init.js"></script>
  </body>
</html>
`;

/**
 * `?part=` names the part to begin with. The search box looks at paths, summaries and tags; Swagger UI's own looks at tags alone.
 */
export const docsScript = (parts: readonly DocsPart[]): string => `const matches = (phrase, tag, operation) =>
  [tag, operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary']) ?? '']
    .join(' ')
    .toLowerCase()
    .includes(phrase);

const search = () => ({
  fn: {
    opsFilter: (tags, phrase) =>
      tags
        .map((tag, name) =>
          tag.update('operations', (all) => all.filter((each) => matches(phrase.toLowerCase().trim(), name, each))),
        )
        .filter((tag) => tag.get('operations').size > 0),
  },
});

window.ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  urls: ${JSON.stringify(parts)},
  'urls.primaryName': new URLSearchParams(location.search).get('part') ?? ${JSON.stringify(parts[0]?.name)},
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [search],
  layout: 'StandaloneLayout',
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  persistAuthorization: true,
  validatorUrl: null,
});
`;
