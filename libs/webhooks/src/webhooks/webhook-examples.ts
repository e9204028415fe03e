/** Each names a secret that an example of secrets makes. The first is shown; either works without the other. */
export const NEW_WEBHOOKS = {
  'with an access token': {
    value: {
      name: 'github-dispatch',
      url_endpoint: 'https://api.github.com/repos/weavers/loom/dispatches',
      access_token_ref: 'GITHUB_TOKEN',
    },
  },
  signed: {
    value: { name: 'deploy', url_endpoint: 'https://example.com/heddle-events', secret_ref: 'SIGNING_SECRET' },
  },
};

export const CHANGES = {
  'another address': { value: { url_endpoint: 'https://api.github.com/repos/weavers/shuttle/dispatches' } },
  'no access token': { value: { access_token_ref: null } },
  disable: { value: { enabled: false } },
  enable: { value: { enabled: true } },
};
