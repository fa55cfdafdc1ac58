import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Settings that the images define, or that do not apply to a container. */
const setInside = new Set(['DATA_DIR', 'API_HOST', 'API_PORT', 'WEB_HOST', 'WEB_PORT', 'PROSPECT_REVISION'])
/** Settings of the host, where off-host copies are made: `script/backup --to`. */
const ofTheHost = new Set(['BACKUP_COPY_TO', 'BACKUP_HOOK'])
/** Settings that the stack never sets. The stack and its images contain no adapter; an operator adds one in a separate compose file. */
const neverInTheStack = new Set(['ADAPTERS_FILE'])

test('every setting of the runbook reaches the containers, or does not apply to them', () => {
  const passed = new Set(
    [...readFileSync('compose.yaml', 'utf8').matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name),
  )
  const [, table = ''] = readFileSync('docs/runbook.md', 'utf8').split('\n## Settings\n')
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z_]{3,})`/g)].map(([, name = '']) => name),
  )

  expect(named.length).toBeGreaterThan(20)
  expect(
    named.filter(
      (name) => !passed.has(name) && !setInside.has(name) && !ofTheHost.has(name) && !neverInTheStack.has(name),
    ),
  ).toEqual([])
  expect([...neverInTheStack].filter((name) => passed.has(name) || setInside.has(name))).toEqual([])
})

test('both services get the public hosts and the names of the services', () => {
  const services = readFileSync('compose.yaml', 'utf8').split(/^ {2}(?=api:|web:)/m)
  const toldBoth = expect.stringMatching(/^api,web,\$\{PUBLIC_HOSTS:-\}$/)
  const told = services.flatMap((service) =>
    [...service.matchAll(/^ {6}PUBLIC_HOSTS: (.+)$/gm)].map(([, value]) => value),
  )
  expect([services.length, told]).toEqual([3, [toldBoth, toldBoth]])
})
