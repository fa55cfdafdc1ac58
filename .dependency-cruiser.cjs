/**
 * Import rules.
 *
 *   API     lib → store → http → rooms → app → main, cli     the right may import the left
 *   rooms   another room through its public module only (rooms/notes/notes.ts; for threads that read beside the API
 *           rooms/notes/notes.thread.ts; for pure functions rooms/notes/notes.pure.ts), and only from a tier below, or from the
 *           same tier where `reviewed` says so (both in rooms/tiers.json); of the collections rooms/facts.ts, never rooms/index.ts
 *   web     ui → rooms → app; no room imports another; nothing of the API; ui itself has floors (`uiFloors`)
 *   adapters   packages/adapters/* → packages/adapter-contract ← API; no app reaches an adapter, by any path, tests included
 *   jobcard-store   separate: no imports between it and the platform
 *
 * Tests are exempt: they may import internals of any room.
 */

/**
 * Rooms by tier, lowest first; a room that is not listed fails a rule. `reviewed`: imports within one tier, such as children of a business that
 * import the businesses room, and rooms with contact values that import the gate. A room also reads
 * the tables of the rooms that it may import, and of no other (`rooms/table-ownership.test.ts`).
 */
const { tiers, reviewed } = require('./apps/api/src/rooms/tiers.json')

/** The folders of apps/web/src/ui, lowest floor first. A folder imports the floors below it, and no other folder of its own floor. */
const uiFloors = [
  ['api'],
  ['text', 'lazy', 'focus'],
  ['layout', 'forms', 'jobs'],
  ['actions', 'fields'],
  ['dialogs'],
  ['lists'],
  ['prospects', 'charts'],
  ['rooms'],
]

/** Folders of the identity room, lowest first. Each may import the ones before it; the room's own files at its root are below all of them. */
const identityFloors = [
  'limits',
  'passwords',
  'accounts',
  'factors',
  'company',
  'sessions',
  'sign-in',
  'links',
  'people',
]

const tests = '\\.test\\.tsx?$|(^|/)tests?/|^apps/web/browser/'
const api = '^apps/api/src'
const web = '^apps/web/src'

/** @returns a rule that forbids `from` to import `to`, both regular expressions on paths from the repository's root */
const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: typeof to === 'string' ? { path: to } : to,
})

const roomTiers = tiers.flatMap((rooms, level) =>
  rooms.map((room) => {
    const allowed = [room, ...tiers.slice(0, level).flat(), ...(reviewed[room] ?? [])]
    return forbid(
      `room-tier-${room}`,
      `${room} is in tier ${level + 1} and may import the rooms below it. A lower room enqueues a job, or the upper room reads.`,
      `${api}/rooms/${room}/`,
      { path: `${api}/rooms/[^/]+/`, pathNot: `${api}/rooms/(${allowed.join('|')})/` },
    )
  }),
)

const uiFloorRules = uiFloors.flatMap((folders, level) =>
  folders.map((folder) => {
    const allowed = [folder, ...uiFloors.slice(0, level).flat()]
    return forbid(
      `web-ui-${folder}`,
      `ui/${folder} imports the floors below it. Code that both need belongs to the lower one.`,
      `${web}/ui/${folder}/`,
      { path: `${web}/ui/`, pathNot: `${web}/ui/(${allowed.join('|')})/` },
    )
  }),
)

const identityFloorRules = identityFloors.map((floor, level) => {
  const above = [...identityFloors.slice(level + 1).map((name) => `${name}/`), 'identity(\\.routes|\\.room)?\\.ts$']
  return forbid(
    `identity-floor-${floor}`,
    `identity/${floor} imports only the floors below it: ${identityFloors.slice(0, level).join(', ') || 'none'}.`,
    `${api}/rooms/identity/${floor}/`,
    `${api}/rooms/identity/(${above.join('|')})`,
  )
})

module.exports = {
  forbidden: [
    forbid('no-cycles', 'Two files that import each other are one file, or need a third.', '', { circular: true }),
    forbid('no-unresolved', 'An unresolved import escapes every other rule.', '', {
      couldNotResolve: true,
      // The address of a style sheet, which Vite resolves.
      pathNot: '\\.css\\?url$',
    }),

    forbid(
      'api-lib',
      'lib imports only lib. Of the domain it contains only what several rooms share: pipeline states, phone countries, error codes.',
      `${api}/lib/`,
      {
        path: '^(apps|packages)/',
        pathNot: `${api}/lib/`,
      },
    ),
    forbid(
      'api-store',
      'store imports only lib.',
      `${api}/store/`,
      `${api}/(http|rooms)/|${api}/(config|app|main|cli)(\\.ts|/)`,
    ),
    forbid(
      'api-http',
      'http imports only store, lib and the configuration.',
      `${api}/http/`,
      `${api}/rooms/|${api}/(app|main|cli)(\\.ts|/)`,
    ),
    forbid('api-rooms', 'A room does not import app, main or cli.', `${api}/rooms/`, `${api}/(app|main|cli)(\\.ts|/)`),
    forbid(
      'rooms-collected',
      'Only app, main and cli import the list of rooms and hand it down; a room that must know the others gets it as an argument.',
      `${api}/(lib|store|http|rooms)/`,
      `${api}/rooms/index\\.ts$`,
    ),
    forbid(
      'room-object',
      'Room objects are imported by rooms/index.ts only, so that public modules stay light.',
      `${api}/(?!rooms/index\\.ts$)`,
      `${api}/rooms/[^/]+/[^/]+\\.room\\.ts$`,
    ),
    forbid(
      'facts-are-literal',
      'The facts of a room are literal data: they import only rooms/define-facts.ts, which imports nothing.',
      `${api}/rooms/([^/]+/[^/]+\\.facts|define-facts)\\.ts$`,
      { path: '', pathNot: `${api}/rooms/define-facts\\.ts$` },
    ),
    forbid(
      'facts-are-collected',
      'The facts of rooms are read through rooms/facts.ts.',
      `${api}/(?!rooms/facts\\.ts$)`,
      `${api}/rooms/[^/]+/[^/]+\\.facts\\.ts$`,
    ),
    forbid(
      'fixtures-for-tests',
      'Fixtures create records and requests for tests and the acceptance run: production code imports none.',
      `${api}/(?!cli/acceptance/|rooms/fixture\\.ts$|rooms/[^/]+/[^/]+\\.(fixture|acceptance)\\.ts$)`,
      `${api}/rooms/(fixture|[^/]+/[^/]+\\.fixture)\\.ts$`,
    ),
    forbid(
      'acceptance-for-the-run',
      'Checks of the acceptance run are loaded by it from the folder of each room: production code and other rooms import none.',
      `${api}/(?!acceptance/|cli/acceptance|rooms/[^/]+/[^/]+\\.acceptance\\.ts$)`,
      `${api}/(acceptance/|rooms/[^/]+/[^/]+\\.acceptance\\.ts$)`,
    ),
    forbid(
      'acceptance-tools',
      'The tools of acceptance checks know no room.',
      `${api}/acceptance/`,
      `${api}/(rooms|http|app|main|cli)(\\.ts|/)`,
    ),
    forbid(
      'migrations-collected',
      'Only main and cli import the list of migrations and hand it down, as they open the store.',
      `${api}/(lib|store|http|rooms)/`,
      `${api}/rooms/migrations\\.ts$`,
    ),
    forbid(
      'migrations-are-sql',
      'Migrations are frozen: they import no code that may change, and stay light for commands and threads.',
      `${api}/rooms/migrations\\.ts$|\\.migrations\\.ts$`,
      { path: '', pathNot: `\\.migrations\\.ts$|${api}/store/migration\\.ts$` },
    ),
    forbid('api-app', 'main and cli import app, not the reverse.', `${api}/app\\.ts$`, `${api}/(main|cli)(\\.ts|/)`),
    forbid('api-entry-points', 'main and cli are run, never imported.', `^apps/|^packages/`, `${api}/(main|cli)\\.ts$`),

    forbid(
      'room-front-door',
      'Other rooms are imported through rooms/<room>/<room>.ts, from threads through <room>.thread.ts or <room>.pure.ts.',
      `${api}/rooms/([^/]+)/`,
      {
        path: `${api}/rooms/([^/]+)/`,
        pathNot: [`${api}/rooms/$1/`, `${api}/rooms/([^/]+)/\\1(\\.(thread|pure))?\\.ts$`],
      },
    ),
    forbid(
      'thread-door-is-light',
      'A thread pays for every module it loads: schemas and HTTP code took 20 MB in a thread that reads a file.',
      '/([^/]+)/\\1\\.thread\\.ts$|/contact-gate/contact-gate\\.ts$|/(analysis-worker|examine-worker|match-writer|read-contacts-worker|read-page-worker|score-worker)\\.ts$',
      { path: `node_modules/zod/|${api}/http/`, reachable: true },
    ),
    forbid(
      'room-without-tier',
      'Give the room a tier in apps/api/src/rooms/tiers.json.',
      `${api}/rooms/(?!(${tiers.flat().join('|')})/)[^/]+/`,
      '',
    ),
    ...roomTiers,
    ...identityFloorRules,

    forbid(
      'web-ui',
      'ui contains shared parts without a room.',
      `${web}/ui/`,
      `${web}/(rooms|app)/|${web}/main\\.tsx$`,
    ),
    forbid(
      'web-ui-without-floor',
      'Every file of ui belongs to one of its folders, named in `uiFloors` at the head of .dependency-cruiser.cjs.',
      `${web}/ui/(?!(${uiFloors.flat().join('|')})/)`,
      '',
    ),
    ...uiFloorRules,
    forbid(
      'web-rooms',
      'A room does not import the shell around it.',
      `${web}/rooms/`,
      `${web}/app/|${web}/main\\.tsx$`,
    ),
    forbid(
      'web-room-alone',
      'No room imports another: shared code belongs to ui, screens that join rooms to app.',
      `${web}/rooms/([^/]+)/`,
      {
        path: `${web}/rooms/`,
        pathNot: `${web}/rooms/$1/`,
      },
    ),
    forbid('web-server-apart', 'The screens and the web server share no code.', `${web}/`, '^apps/web/server/'),
    forbid('web-server-no-screens', 'The screens and the web server share no code.', '^apps/web/server/', `${web}/`),
    forbid('web-without-api', 'The web app imports the API client only.', '^apps/web/', '^apps/api/'),
    forbid(
      'api-without-web',
      'The API does not import its clients.',
      '^apps/api/',
      '^apps/web/|^packages/api-client/src/',
    ),
    {
      ...forbid(
        'apps-without-adapters',
        'An operator loads adapters by ADAPTERS_FILE: no shipped code imports one. Tests are no exception.',
        '^apps/',
        { path: '^packages/adapters/', reachable: true },
      ),
      from: { path: '^apps/' },
    },
    {
      ...forbid('adapter-contract-alone', 'API and adapters depend on the contract, never the other way.', '', {
        path: '^(apps|packages|jobcard-store)/',
        pathNot: '^packages/adapter-contract/',
      }),
      from: { path: '^packages/adapter-contract/' },
    },
    forbid(
      'adapter-alone',
      'An adapter imports the contract and the shared exchange, and no other adapter.',
      '^packages/adapters/([^/]+)/',
      {
        path: '^(apps|packages)/',
        pathNot: ['^packages/adapters/$1/', '^packages/adapters/http-exchange/', '^packages/adapter-contract/src/'],
      },
    ),
    forbid(
      'http-exchange-alone',
      'Adapters use the exchange, never the other way.',
      '^packages/adapters/http-exchange/',
      {
        path: '^packages/adapters/',
        pathNot: '^packages/adapters/http-exchange/',
      },
    ),
    forbid(
      'web-fetch-last-step',
      'The connect function and the trusted authorities are parameters for tests: only the transport, which fixes both, may pass them.',
      '^packages/adapters/web-fetch/src/(?!transport\\.ts$)',
      '^packages/adapters/web-fetch/src/fetch-page\\.ts$',
    ),
    forbid(
      'send-prompt-last-step',
      'The trusted authorities are a parameter for tests: only the transport, which fixes them, may pass them.',
      '^packages/adapters/openai-compatible/src/(?!transport\\.ts$)',
      '^packages/adapters/openai-compatible/src/send-prompt\\.ts$',
    ),
    forbid(
      'adapter-loads-its-transport',
      'Planning and dry runs open no connection: only `load` imports the transport, when a source is used.',
      '^packages/adapters/[^/]+/src/adapter\\.ts$',
      { path: '^packages/adapters/[^/]+/src/transport\\.ts$', dependencyTypesNot: ['dynamic-import'] },
    ),
    forbid(
      'prompts-are-sealed-by-assist',
      'Only the assist room seals prompts, after its last check.',
      '^(apps|packages)/(?!api/src/rooms/assist/|adapter-contract/src/(seal-)?prompt\\.ts$)',
      '^packages/adapter-contract/src/(seal-prompt|prompt-mark)\\.ts$',
    ),
    forbid(
      'test-kit-for-tests',
      'The test kit is for tests.',
      '^(apps|packages)/(?!adapter-contract/test-kit/)',
      '^packages/adapter-contract/test-kit/',
    ),
    forbid('packages-stand-alone', 'Apps import packages, never the reverse.', '^packages/[^/]+/src/', '^apps/'),
    {
      ...forbid(
        'platform-without-jobcard-store',
        'The platform neither reads nor writes the job-card store: no import of its code or driver. Tests are no exception.',
        '^(apps|packages)/',
        '^jobcard-store/|node_modules/(mysql2?|mariadb)/',
      ),
      from: { path: '^(apps|packages)/' },
    },
    {
      ...forbid('jobcard-store-alone', 'The job-card store imports nothing of the platform.', '', '^(apps|packages)/'),
      from: { path: '^jobcard-store/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data|coverage|generated)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
