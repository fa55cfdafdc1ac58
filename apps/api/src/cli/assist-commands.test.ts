import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-app.ts'
import { temporaryFolder } from '../../test/template-store.ts'
import { typeCommand } from '../../test/type-command.ts'

async function setUp() {
  const t = await buildTestApp()
  const { dataDir } = t.store
  const home = t.tenants.home.id
  const cli = (...args: string[]) => typeCommand(args, { DATA_DIR: dataDir })
  const correct = (...args: string[]) =>
    cli('assist', 'correct-budget', '--tenant', home, '--adapter', 'fixture', ...args)
  const entries = () =>
    t.store.reader
      .selectFrom('assist_usage')
      .select(['id', 'tenant_id', 'kind', 'adapter_id', 'calls', 'tokens', 'cost', 'reason'])
      .orderBy('id')
      .execute()
  return { t, home, dataDir, cli, correct, entries }
}

test('a trial without ADAPTERS_FILE exits with 3, and one of a disabled workspace names that before anything is sent', async () => {
  const { cli, dataDir, home } = await setUp()
  expect(await cli('assist', 'try')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: 'ADAPTERS_FILE is not set: no provider is configured, and nothing was sent.\n',
  })
  const file = join(temporaryFolder(), 'adapters.mjs')
  writeFileSync(file, 'export default []')
  const disabled = await typeCommand(['assist', 'try', '--tenant', home], { DATA_DIR: dataDir, ADAPTERS_FILE: file })
  expect(disabled).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('AI assistance is disabled.'),
  })
})

test('a correction appends an audited entry with its reason, and edits nothing', async () => {
  const { t, home, correct, entries } = await setUp()
  const first = await correct('--calls=3', '--tokens=900', '--reason', 'Called by hand.')
  expect([first.exitCode, first.stderr]).toEqual([0, ''])
  const second = await correct('--calls=-1', '--tokens=-400', '--reason', 'One call was counted twice.')
  expect([second.exitCode, second.stderr]).toEqual([0, ''])
  const common = { tenant_id: home, kind: 'correction', adapter_id: 'fixture', cost: 0 }
  expect(await entries()).toEqual([
    { ...common, id: first.stdout.trim(), calls: 3, tokens: 900, reason: 'Called by hand.' },
    { ...common, id: second.stdout.trim(), calls: -1, tokens: -400, reason: 'One call was counted twice.' },
  ])
  const audited = await t.store.reader
    .selectFrom('audit_events')
    .select(['subject_id', 'reason', 'actor'])
    .where('action', '=', 'assist.budget_correct')
    .execute()
  expect(audited).toEqual([
    { subject_id: first.stdout.trim(), reason: 'Called by hand.', actor: 'command line' },
    { subject_id: second.stdout.trim(), reason: 'One call was counted twice.', actor: 'command line' },
  ])
})

test('a correction below zero, without a reason, of nothing or of another tenant is refused and writes nothing', async () => {
  const { t, cli, correct, entries } = await setUp()
  const refusals = [
    [await correct('--calls=-1', '--reason', 'None was made.'), 1, 'The sum of this month is 0'],
    [await correct('--calls=1'), 2, '--reason is missing.'],
    [await correct('--calls=1', '--reason', ' '), 2, '--reason is missing.'],
    [await correct('--reason', 'Nothing.'), 2, 'Give --calls, --tokens or --cost.'],
    [await correct('--calls=1.5', '--reason', 'Half.'), 2, '--calls takes a whole number'],
    [await correct('--tokens=1000000001', '--reason', 'Many.'), 2, '--tokens takes a whole number'],
    [await correct('--calls=1', '--reason', 'x'.repeat(1_001)), 2, '--reason takes at most 1000 characters.'],
    [
      await cli('assist', 'correct-budget', '--tenant', 'nobody', '--adapter', 'a', '--calls=1', '--reason', 'Hm.'),
      2,
      'There is no tenant with this id',
    ],
    [
      await cli('assist', 'correct-budget', '--adapter', 'a', '--calls=1', '--reason', 'Hm.'),
      2,
      'There are several tenants',
    ],
  ] as const
  for (const [{ exitCode, stderr }, code, sentence] of refusals) {
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(sentence)])
  }
  // Usage of another workspace cannot be lowered by the sum over all workspaces.
  const other = t.tenants.other.id
  const theirs = await cli(
    'assist',
    'correct-budget',
    '--tenant',
    other,
    '--adapter',
    'fixture',
    '--calls=5',
    '--reason',
    'Theirs.',
  )
  expect(theirs.exitCode).toBe(0)
  expect((await correct('--calls=-1', '--reason', 'Not ours.')).exitCode).toBe(1)
  expect(await entries()).toHaveLength(1)
})
