import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { blockingKeys } from '../apps/api/src/rooms/matching/rules/blocking.rules.ts'
import { compareRecords, createComparison, isKept } from '../apps/api/src/rooms/matching/rules/compare-records.rules.ts'
import { bandOf, leastKeptWeight, scoreOf } from '../apps/api/src/rooms/matching/rules/exact-arithmetic.rules.ts'
import type { MatchInput } from '../apps/api/src/rooms/matching/rules/match-record.ts'
import { ALGORITHM_VERSION } from '../apps/api/src/rooms/matching/rules/matching-configuration.data.ts'
import { createOutlines } from '../apps/api/src/rooms/matching/rules/outlines.rules.ts'
import { createRecordReader } from '../apps/api/src/rooms/matching/rules/read-record.ts'
import { matchSet } from '../apps/api/src/rooms/matching/run/match-set.ts'
import { NORMALIZATION_VERSION, normalizeIdentifier } from '../apps/api/src/rooms/normalization/normalization.ts'
import { withRightLabels } from './early-childhood-labels.data.ts'
import { BenchmarkError, some } from './figures.ts'
import { generateRecords, type LabelledRecord, labelledRecords, namePairs, readTable } from './matching-data.ts'
import { generateListings } from './matching-listings.ts'

/*
 * Measures the quality and the speed of matching, with the only configuration that exists.
 *
 *   node bench/matching.ts                       generated sets (seeds 1 and 2), with and without the errors of listings
 *   node bench/matching.ts <file or folder> …    labelled CSV files: id, cluster_id, name, phone, email, domain, address, city;
 *                                                or name1, name2, is_match, schema for names alone. Files may be gzipped (`.gz`).
 *
 * REGION=none parses local phone numbers without a country. Times are processor times (user and system), which depend less than the
 * clock on other work of the machine.
 */

const region = process.env.REGION === 'none' ? null : (process.env.REGION ?? 'ZA')
const EARLY_CHILDHOOD = 'early_childhood.csv'
const knownFiles = ['za_10k.csv', 'za_100k.csv.gz', EARLY_CHILDHOOD, 'company_name_pairs.csv']

function toInput(row: LabelledRecord): MatchInput {
  const identifier = (kind: 'phone' | 'email' | 'domain', value: string) =>
    value === ''
      ? []
      : [{ kind, original: value, region, normalized: normalizeIdentifier(kind, value, region).normalized }]
  return {
    id: row.id,
    name: row.name,
    tradingName: null,
    registrationNumber: null,
    street: row.address === '' ? null : row.address,
    suburb: null,
    city: row.city === '' ? null : row.city,
    province: null,
    postalCode: null,
    country: null,
    identifiers: [
      ...identifier('phone', row.phone),
      ...identifier('email', row.email),
      ...identifier('domain', row.domain),
    ],
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function timed<T>(work: () => T): [T, number] {
  const before = processorMs()
  const value = work()
  return [value, processorMs() - before]
}

const share = (part: number, whole: number) => (whole === 0 ? '—' : (part / whole).toFixed(4))

function measureRecords(title: string, rows: readonly LabelledRecord[]): void {
  const inputs = rows.map(toInput).sort((a, b) => (a.id < b.id ? -1 : 1))
  const clusterOf = new Map(rows.map(({ id, cluster }) => [id, cluster]))
  const sizes = new Map<string, number>()
  for (const cluster of clusterOf.values()) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1)
  const truePairs = [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0)

  const reader = createRecordReader()
  const [records, readMs] = timed(() => {
    const read = inputs.map((input) => reader.read(input))
    reader.settle(reader.commonWords())
    return read
  })
  const [, keysMs] = timed(() => records.map((record) => blockingKeys(record).length))
  const clusters = records.map(({ id }) => clusterOf.get(id))
  const blocked = new Set<string>()
  const pairs: number[] = []
  const kept = new Map<string, { score: number; isTrue: boolean }>()
  const comparison = createComparison()
  const [report, matchMs] = timed(() =>
    matchSet(
      records,
      (i, j) => {
        const [a, b] = [records[i], records[j]]
        if (a === undefined || b === undefined) return
        const { total } = compareRecords(a, b, comparison)
        kept.set(`${i} ${j}`, { score: scoreOf(total), isTrue: clusters[i] === clusters[j] })
      },
      {
        onPair: (a, b) => {
          pairs.push(a, b)
          if (clusters[a] === clusters[b]) blocked.add(`${a} ${b}`)
        },
      },
    ),
  )
  const outlines = createOutlines()
  for (const [at, record] of records.entries()) outlines.add(record, at)
  const compareAll = () => {
    let found = 0
    for (let at = 0; at < pairs.length; at += 2) {
      const [i, j] = [pairs[at] ?? 0, pairs[at + 1] ?? 0]
      const most = outlines.most(i, j)
      if (most < leastKeptWeight) continue
      const [a, b] = [records[i], records[j]]
      if (a !== undefined && b !== undefined && isKept(a, b, comparison, most)) found += 1
    }
    return found
  }
  compareAll()
  const [, compareMs] = timed(compareAll)

  some(truePairs, `true pairs in ${title}`)
  console.log(`\n${title}: ${rows.length} records, ${truePairs} true pairs`)
  const all = [...kept.values()]
  const table = (['strong', 'review', 'both'] as const).map((band) => {
    const inBand = all.filter(({ score }) => band === 'both' || bandOf(score) === band)
    const right = inBand.filter(({ isTrue }) => isTrue).length
    const [precision, recall] = [right / inBand.length, right / truePairs]
    return {
      band,
      kept: inBand.length,
      precision: share(right, inBand.length),
      recall: share(right, truePairs),
      F1: ((2 * precision * recall) / (precision + recall)).toFixed(4),
    }
  })
  console.table(table)
  const steps = [0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 0.999, 1.00001]
  console.table(
    steps.slice(0, -1).map((from, at) => {
      const inStep = all.filter(({ score }) => score >= from && score < (steps[at + 1] ?? 2))
      return {
        score: `from ${from}`,
        kept: inStep.length,
        'are one business': share(inStep.filter(({ isTrue }) => isTrue).length, inStep.length),
      }
    }),
  )
  console.log(
    `blocking recall ${share(blocked.size, truePairs)}; ${report.pairsCompared} pairs in ${report.blocks} blocks; ` +
      `${report.boundedBlocks} bounded (largest ${report.largestBlock}), ${report.pairsLeftOut} pairs left out`,
  )
  console.log(
    `reading ${readMs.toFixed(0)} ms, keys ${keysMs.toFixed(0)} ms, blocks and pairs ${matchMs.toFixed(0)} ms; ` +
      `${((pairs.length / 2 / compareMs) * 1_000).toFixed(0)} pairs a second and core; ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
  )
}

function measureNames(title: string, path: string): void {
  const companies = new Set(['Company', 'Organization', 'LegalEntity'])
  const pairs = namePairs(readTable(path)).filter(({ kind }) => companies.has(kind))
  some(pairs.length, `pairs of names in ${title}`)
  const counts = { right: 0, wrong: 0, missed: 0 }
  for (const { one, other, isMatch } of pairs) {
    const reader = createRecordReader()
    const blank = { cluster: '', phone: '', email: '', domain: '', address: '', city: '' }
    const [a, b] = [
      reader.read(toInput({ ...blank, id: 'a', name: one })),
      reader.read(toInput({ ...blank, id: 'b', name: other })),
    ]
    const isSuggested = bandOf(scoreOf(compareRecords(a, b, createComparison()).total)) !== null
    if (isSuggested) counts[isMatch ? 'right' : 'wrong'] += 1
    else if (isMatch) counts.missed += 1
  }
  const { right, wrong, missed } = counts
  console.log(`\n${title}: ${pairs.length} pairs of names alone`)
  console.table([
    {
      precision: share(right, right + wrong),
      recall: share(right, right + missed),
      F1: share(2 * right, 2 * right + wrong + missed),
    },
  ])
}

function measureFile(path: string): void {
  const table = readTable(path)
  if (table.columns.includes('is_match')) measureNames(basename(path), path)
  else if (table.columns.includes('cluster_id')) {
    const rows = labelledRecords(table)
    measureRecords(basename(path), rows)
    if (basename(path) === EARLY_CHILDHOOD)
      measureRecords(`${EARLY_CHILDHOOD}, wrong labels mended`, withRightLabels(rows))
  } else
    throw new BenchmarkError(`${basename(path)} has no cluster_id and no is_match, so there is nothing to measure.`)
}

console.log(`${ALGORITHM_VERSION}, ${NORMALIZATION_VERSION}`)
const paths = process.argv.slice(2)
for (const path of paths) {
  const files =
    path.endsWith('.csv') || path.endsWith('.gz')
      ? [path]
      : knownFiles.map((file) => join(path, file)).filter(existsSync)
  some(files.length, `labelled files in ${path}`)
  for (const file of files) measureFile(file)
}
if (paths.length === 0)
  for (const seed of [1, 2]) {
    measureRecords(`generated, seed ${seed}`, generateRecords(20_000, seed))
    measureRecords(`generated listings, seed ${seed}`, generateListings(20_000, seed))
  }
