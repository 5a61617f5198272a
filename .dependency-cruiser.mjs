/** The borders of the house, checked by `npm run borders`. docs/architecture.md explains the floors and rooms. */

/** Which domains each domain may import. Reviewed like a schema change; docs/architecture.md shows the same table. */
const DOMAIN_ORDER = {
  audit: [],
  accounts: ['audit'],
  indicators: ['audit'],
  'warning-lists': ['indicators', 'audit'],
  exclusions: ['warning-lists', 'indicators', 'audit'],
  feeds: ['warning-lists', 'indicators', 'audit'],
  alerts: ['audit'],
  vulnerabilities: ['alerts', 'audit'],
  incidents: ['indicators', 'vulnerabilities', 'alerts', 'accounts', 'audit'],
  soc: ['incidents', 'audit'],
}

/** A file of a domain that plays a role; one without a role is a pure rule. */
const ROLE = '\\.(service|store|schemas|routes|commands|jobs|test|int\\.test|property\\.test|property\\.int\\.test|test-support)\\.ts$'
const TESTS = '\\.(test|int\\.test|test-support)\\.ts$'

const domainOrder = Object.entries(DOMAIN_ORDER).map(([domain, lower]) => ({
  name: `domain-order-${domain}`,
  severity: 'error',
  comment: `${domain} may import ${lower.length === 0 ? 'no other domain' : lower.join(', ')}.`,
  from: { path: `^src/domains/${domain}/` },
  to: { path: '^src/domains/', pathNot: [domain, ...lower].map((name) => `^src/domains/${name}/`) },
}))

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'kernel-is-pure',
      severity: 'error',
      comment: 'The kernel does no I/O: it imports itself, four harmless Node modules, and pure libraries.',
      from: { path: '^src/kernel/', pathNot: TESTS },
      to: { pathNot: ['^src/kernel/', '^(node:)?(buffer|crypto|net|url|util)$', '^node_modules/(tldts|tldts-core|uuid)/'] },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      comment: 'A domain file without a role suffix imports the kernel, models and other pure files only.',
      from: { path: '^src/domains/', pathNot: ROLE },
      to: {
        path: ['^src/platform/', '^src/entrypoints/', '^node_modules/(kysely|pg|fastify|@fastify|undici|ioredis)', ROLE],
        pathNot: '\\.model\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'store-is-private',
      severity: 'error',
      comment: 'SQL of a domain is called by that domain only.',
      from: { path: '^src/domains/([^/]+)/' },
      to: { path: '\\.store\\.ts$', pathNot: '^src/domains/$1/' },
    },
    {
      name: 'store-is-behind-its-service',
      severity: 'error',
      from: { path: '^src/(domains|entrypoints|platform)/', pathNot: ['\\.(service|store)\\.ts$', TESTS] },
      to: { path: '\\.store\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'edges-are-private',
      severity: 'error',
      comment: 'Routes, commands and jobs are called by the entrypoints only.',
      from: { pathNot: ['^src/entrypoints/', TESTS] },
      to: { path: '^src/domains/.*\\.(routes|commands|jobs)\\.ts$' },
    },
    {
      name: 'sql-only-in-stores',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.store\\.ts$', '^src/platform/(database|jobs)/', TESTS] },
      to: { path: '^node_modules/(kysely|pg|pg-copy-streams)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'fastify-only-at-the-edge',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.(routes|schemas)\\.ts$', '^src/platform/http/', '^src/entrypoints/', TESTS] },
      to: { path: '^node_modules/(fastify|@fastify|typebox)/' },
    },
    {
      name: 'platform-knows-no-domain',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(domains|entrypoints)/' },
    },
    {
      name: 'only-entrypoints-wire',
      severity: 'error',
      from: { path: '^src/(kernel|platform|domains)/', pathNot: TESTS },
      to: { path: '^src/entrypoints/' },
    },
    {
      name: 'outbound-is-the-one-door',
      severity: 'error',
      comment:
        'Whatever leaves this machine leaves through platform/outbound. The embedded database looks for a free port, which is not the network.',
      from: { path: '^src/', pathNot: ['^src/platform/outbound/', '^src/platform/database/embedded/', '^src/kernel/', TESTS] },
      to: { path: ['^(node:)?(http|https|net|tls|dns|dns/promises|http2)$', '^node_modules/undici/'], dependencyTypesNot: ['type-only'] },
    },
    ...domainOrder,
    {
      name: 'web-ui-is-a-leaf',
      severity: 'error',
      comment: 'Parts of the interface know neither the API nor a screen.',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/(api|screens|shell)/' },
    },
    {
      name: 'web-screens-are-apart',
      severity: 'error',
      from: { path: '^web/src/screens/([^/]+)/' },
      to: { path: '^web/src/screens/', pathNot: '^web/src/screens/$1/' },
    },
    { name: 'web-and-service-are-apart', severity: 'error', from: { path: '^web/' }, to: { path: '^src/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
