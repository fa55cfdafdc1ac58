/** Fills a tenant with scored records for the benchmarks of scoring and review. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { tagKey } from '../apps/api/src/rooms/businesses/record/write-business.ts'
import { createTenant } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { NORMALIZATION_VERSION } from '../apps/api/src/rooms/normalization/normalization.ts'
import { contentHashOf } from '../apps/api/src/rooms/scoring/rules/content.rules.ts'
import type { Content, Rule } from '../apps/api/src/rooms/scoring/rules/content.ts'
import { templates } from '../apps/api/src/rooms/scoring/rules/templates.data.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { openStore, STORE_FILE } from '../apps/api/src/store/store.ts'

export const SAMPLE_FILE = 'sample.json'
export const sampleShape = z.object({ tenantId: z.string(), ruleSetId: z.string(), ids: z.array(z.string()) })

/** Returns a content with eighteen rules: those of both templates and some more. */
export function contentOfEighteen(): Content {
  const [reachable, complete] = templates
  if (reachable === undefined || complete === undefined) throw new Error('The templates are gone.')
  const more: Rule[] = [
    { id: 'gauteng', signal: 'record.province', op: 'one_of', value: ['GP', 'WC'], points: 5 },
    { id: 'tagged', signal: 'record.tags', op: 'has_any', value: ['Farm', 'Mining'], points: 5 },
    { id: 'young', signal: 'record.age_days', op: 'at_most', value: 400, points: 5 },
    { id: 'recent-talk', signal: 'interactions.in_90_days', op: 'at_least', value: 1, points: 5 },
  ]
  const group = { id: 'more', name: 'More', min: 0, max: 20, rules: more }
  return {
    ...reachable.content,
    groups: [
      ...reachable.content.groups,
      ...complete.content.groups.map((one) => ({
        ...one,
        rules: one.rules.map((rule) => ({ ...rule, id: `c-${rule.id}` })),
      })),
      group,
    ],
  }
}

/** Inserts the rows that the rooms would write, with statements that insert many rows at once. */
export async function fillScoredTenant(dataDir: string, records: number): Promise<void> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const tenantId = await createTenant(store, 'command line', { name: 'Benchmark', timeZone: 'Africa/Johannesburg' })
  await store.close()
  const db = openConnection(join(dataDir, STORE_FILE))
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -400000')
  const provinces = ['GP', 'WC', 'KZN', 'EC', 'FS', 'MP', 'NW', 'LP', 'NC']
  const states = ['new', 'new', 'new', 'new', 'new', 'new', 'contacted', 'qualified', 'negotiation', 'won']
  const business = db.prepare(`
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, industry, registration_number, province, province_code,
      tags, primary_phone, primary_phone_normalized, status, pipeline_state, do_not_contact, blocked_through, blocked_at, blocked_by, blocked_reason,
      has_evidence, evidence_count, normalization_version)
    VALUES (?, ?, 1, ?, 'benchmark', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, ?, ?, ?, ?, 1, ?, '${NORMALIZATION_VERSION}')`)
  const identifier = db.prepare(`
    INSERT INTO business_identifiers (tenant_id, business_id, kind, position, original, region, normalized, uncertainty, normalization_version)
    VALUES (?, ?, ?, 0, ?, 'ZA', ?, NULL, '${NORMALIZATION_VERSION}')`)
  // Without the rows of tags a filter by tag matches nothing.
  const farm = db.prepare(`
    INSERT INTO business_tags (tenant_id, tag_key, listed_at, business_id, tag) VALUES (?, ?, ?, ?, 'Farm')`)
  const evidence = db.prepare(`
    INSERT INTO evidence (tenant_id, id, business_id, field, value, source_label, captured_at, confidence, created_at, created_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'benchmark')`)
  const interaction = db.prepare(`
    INSERT INTO interactions (tenant_id, id, business_id, occurred_at, channel, outcome, participants, on_do_not_contact, created_at, created_by)
    VALUES (?, ?, ?, ?, 'phone', ?, '[]', 0, ?, 'benchmark')`)
  const now = Date.now()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()
  const ids: string[] = []
  for (let at = 0; at < records; at++) {
    if (at % 20_000 === 0) db.exec(at === 0 ? 'BEGIN' : 'COMMIT; BEGIN')
    const id = newId()
    if (at % Math.ceil(records / 2_000) === 0) ids.push(id)
    const n = (at * 7_919) % 1_000_003
    const created = daysAgo(5 + (n % 900))
    const name = `Prospect ${n}`
    const phone = `+27215${String(n).padStart(6, '0')}`
    const province = provinces[n % provinces.length] ?? 'GP'
    const isBlocked = n % 50 === 0
    const blocked = isBlocked ? [1, 'hand', created, 'benchmark', 'Asked'] : [0, null, null, null, null]
    const ownPhone = n % 2 === 0 ? phone : null
    const isClaimed = n % 5 < 2
    const tags = n % 7 === 0 ? '["Farm"]' : '[]'
    business.run(
      ...[
        tenantId,
        id,
        created,
        created,
        name,
        name.toLowerCase(),
        n % 3 === 0 ? 'Mining' : null,
        n % 4 === 0 ? '2001/000001/07' : null,
      ],
      ...[province, province, tags, ownPhone, ownPhone, states[n % states.length], ...blocked, isClaimed ? 2 : 1],
    )
    if (n % 7 === 0) farm.run(tenantId, tagKey('Farm'), created, id)
    if (n % 2 === 0) identifier.run(tenantId, id, 'phone', phone, phone)
    if (n % 3 !== 0) identifier.run(tenantId, id, 'email', `info@p${n}.co.za`, `info@p${n}.co.za`)
    const says = (field: string, value: string, confidence: string) =>
      evidence.run(tenantId, newId(), id, field, value, `Source ${n % 5}`, daysAgo(n % 400), confidence, created)
    says('name', name, n % 3 === 0 ? 'high' : 'medium')
    if (isClaimed)
      says(n % 2 === 0 ? 'phone' : 'industry', n % 2 === 0 ? phone : n % 11 === 0 ? 'Farming' : 'Mining', 'medium')
    if (n % 10 < 3)
      interaction.run(tenantId, newId(), id, daysAgo(n % 200), n % 2 === 0 ? 'connected' : 'no_answer', created)
  }
  db.exec('COMMIT')
  const ruleSetId = newId()
  const userId = newId()
  const at = new Date(now).toISOString()
  db.prepare(
    `INSERT INTO users (id, email, name, password_hash, status, created_at) VALUES (?, ?, ?, ?, 'active', ?)`,
  ).run(userId, 'author@example.co.za', 'Author', 'none', at)
  db.prepare(`INSERT INTO memberships (tenant_id, user_id, role, created_at) VALUES (?, ?, 'manager', ?)`).run(
    tenantId,
    userId,
    at,
  )
  const content = contentOfEighteen()
  db.prepare(
    'INSERT INTO scoring_rule_sets (tenant_id, id, version, name, owner_id, created_at, created_by, updated_at) VALUES (?, ?, 1, ?, ?, ?, ?, ?)',
  ).run(tenantId, ruleSetId, 'Fit', userId, at, userId, at)
  for (const number of [1, 2]) {
    const bands =
      number === 1
        ? content.bands
        : content.bands.map((band) => ({ ...band, from: band.from === 0 ? 0 : band.from + 10 }))
    const own = { ...content, bands }
    db.prepare(
      `INSERT INTO scoring_versions (tenant_id, rule_set_id, number, version, state, content, content_hash, rollback_plan, created_at, created_by, updated_at,
         submitted_at, submitted_by, decided_at, decided_by, decision_reason)
       VALUES (?, ?, ?, 1, 'approved', ?, ?, 'Back', ?, ?, ?, ?, ?, ?, ?, 'Agreed')`,
    ).run(tenantId, ruleSetId, number, JSON.stringify(own), contentHashOf(own), at, userId, at, at, userId, at, userId)
  }
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  writeFileSync(join(dataDir, SAMPLE_FILE), JSON.stringify({ tenantId, ruleSetId, ids }))
}
