// Which way imports may point. `npm run check` fails on anything else.
const FOUNDATION = 'config|database|queues|events|auth|http|json|files|metrics|process|embedded-postgres|storage';
// Feature-to-feature edges are few, and each is named here.
const FEATURE_EDGES = [
  { from: 'archives', to: 'artifacts' },
  { from: 'archives', to: 'models' },
  { from: 'archives', to: 'projects' },
  { from: 'archives', to: 'runs' },
  { from: 'archives', to: 'tracing' },
  { from: 'archives', to: 'wandb' },
  { from: 'artifacts', to: 'projects' },
  { from: 'automations', to: 'projects' },
  { from: 'automations', to: 'registries' },
  { from: 'automations', to: 'webhooks' },
  { from: 'base-models', to: 'engine' },
  { from: 'health', to: 'base-models' },
  { from: 'inference', to: 'base-models' },
  { from: 'inference', to: 'engine' },
  { from: 'inference', to: 'models' },
  { from: 'inference', to: 'projects' },
  { from: 'inference', to: 'tracing' },
  { from: 'models', to: 'artifacts' },
  { from: 'models', to: 'base-models' },
  { from: 'models', to: 'engine' },
  { from: 'models', to: 'projects' },
  { from: 'models', to: 'runs' },
  { from: 'projects', to: 'accounts' },
  { from: 'registries', to: 'artifacts' },
  { from: 'registries', to: 'projects' },
  { from: 'runs', to: 'projects' },
  { from: 'tracing', to: 'engine' },
  { from: 'tracing', to: 'projects' },
  { from: 'training', to: 'artifacts' },
  { from: 'training', to: 'base-models' },
  { from: 'training', to: 'engine' },
  { from: 'training', to: 'models' },
  { from: 'training', to: 'projects' },
  { from: 'training', to: 'runs' },
  { from: 'wandb', to: 'artifacts' },
  { from: 'wandb', to: 'audit' },
  { from: 'wandb', to: 'projects' },
  { from: 'wandb', to: 'registries' },
  { from: 'wandb', to: 'runs' },
  { from: 'webhooks', to: 'secrets' },
];

const lib = (name) => `^libs/${name}/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'libs-through-their-index',
      comment: 'A lib is entered through its index.ts.',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/' },
      to: { path: '^libs/([^/]+)/', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^libs/$2/'] },
    },
    {
      name: 'libs-know-no-app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'the-product-knows-no-tool',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^tools/' },
    },
    {
      name: 'tools-know-only-the-engine',
      comment: 'Its insides too: what a tool makes ships with it.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^(apps|libs)/', pathNot: lib('engine') },
    },
    {
      name: 'apps-know-no-other-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'foundation-knows-no-feature',
      severity: 'error',
      from: { path: lib(`(${FOUNDATION})`) },
      to: { path: '^libs/', pathNot: lib(`(${FOUNDATION})`) },
    },
    {
      name: 'only-named-feature-edges',
      severity: 'error',
      from: { path: `^libs/(?!(?:${FOUNDATION})/)([^/]+)/` },
      to: { path: '^libs/', pathNot: [lib(`(${FOUNDATION})`), '^libs/$1/', ...FEATURE_EDGES.map(({ to }) => lib(to))] },
    },
    ...FEATURE_EDGES.map(({ to }) => to)
      .filter((to, index, all) => all.indexOf(to) === index)
      .map((to) => ({
        name: `edges-to-${to}`,
        severity: 'error',
        from: {
          path: '^libs/',
          pathNot: [lib(to), ...FEATURE_EDGES.filter((edge) => edge.to === to).map(({ from }) => lib(from))],
        },
        to: { path: lib(to) },
      })),
    {
      name: 'pure-libs',
      comment: 'These know tensors, bytes or processes: no Nest and no database.',
      severity: 'error',
      from: { path: lib('(json|files|engine|embedded-postgres)') },
      to: { path: '(node_modules/(@nestjs|typeorm|bullmq)/)' },
    },
    {
      name: 'tracing-query-knows-no-calls',
      comment: 'The language serves costs, feedback and tables too.',
      severity: 'error',
      from: { path: lib('tracing') + 'src/query/' },
      to: { path: lib('tracing'), pathNot: lib('tracing') + 'src/(query|values)/' },
    },
    {
      name: 'tracing-store-knows-no-wire',
      comment: 'Rows of calls, whoever sent them in whatever form.',
      severity: 'error',
      from: { path: lib('tracing') + 'src/store/' },
      to: { path: [lib('tracing'), lib('auth')], pathNot: lib('tracing') + 'src/(store|values)/' },
    },
    {
      name: 'no-development-dependencies',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    exclude: { path: '\\.spec\\.ts$' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
