import { z } from 'zod'
import { freeText } from '../../http/hidden-fields.ts'
import { MAX_PARAMETER_LENGTH } from '../../http/text.ts'
import { predicateSchema } from '../review/review.ts'
import { waitingDesks } from '../room.ts'

/** Limits of the dashboard; `docs/limits.md` lists them. */
export const limits = { tiles: 24, reviewDays: 14, waiting: 1_000 } as const

export const builtInTiles = [
  'waiting',
  'due',
  'mine',
  'my_follow_ups',
  'follow_ups',
  'pipeline',
  'priority',
  'eligibility',
  'no_evidence',
  'do_not_contact',
  'registry',
  'duplicates',
  'failed_jobs',
  'reviews_per_day',
  'subject_requests',
] as const
export type BuiltInTile = (typeof builtInTiles)[number]

/** Schema of a tile's key: the name of a built-in tile, or `filter:` followed by the id of a saved filter. */
const tileKey = z
  .string()
  .max(MAX_PARAMETER_LENGTH)
  .regex(/^(?:[a-z_]+|filter:[0-9a-f-]{36})$/, 'Name a built-in tile, or filter: and the id of a saved filter.')

const linkSchema = z.object({
  desk: z.enum(['prospects', 'review', 'duplicates', 'audit', 'registry', ...waitingDesks]),
  query: z.record(z.string(), z.string()),
})

const tileStatuses = ['ready', 'pending', 'at_least', 'stale', 'failed', 'not_allowed'] as const
const counted = z.int().nullable().describe('null unless ready, at_least or stale')

export const tileSchema = z
  .object({
    key: z.string(),
    title: freeText(),
    status: z
      .enum(tileStatuses)
      .describe(
        'pending: ask for this tile alone. at_least: the bound of counting was reached. stale: scores wait, or a registry round is due',
      ),
    value: counted,
    counts: freeText().describe('The words of what it counts'),
    asOf: z.string().nullable(),
    predicate: predicateSchema.nullable().describe('null: it counts no prospects, or several sets'),
    link: freeText(linkSchema, { instead: null }).nullable().describe('The list that its number opens'),
    reason: z.string().nullable(),
    parts: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        value: z.int(),
        isAtLeast: z.boolean(),
        predicate: predicateSchema.nullable(),
        link: freeText(linkSchema, { instead: null }).nullable(),
      }),
    ),
  })
  .meta({ id: 'Tile' })
export type Tile = z.infer<typeof tileSchema>

const arrangedTiles = z.array(z.object({ key: z.string(), isHidden: z.boolean() })).max(limits.tiles)
export const arrangementSchema = z
  .object({ version: z.int(), tiles: arrangedTiles, updatedAt: z.string().nullable() })
  .meta({ id: 'Arrangement' })
export type Arrangement = z.infer<typeof arrangementSchema>

export const dashboardSchema = z
  .object({ arrangement: arrangementSchema, tiles: z.array(tileSchema) })
  .meta({ id: 'Dashboard', description: 'The tiles that are not hidden, in their order' })
export type Dashboard = z.infer<typeof dashboardSchema>

export const arrangeSchema = z.strictObject({
  tiles: z
    .array(z.strictObject({ key: tileKey, isHidden: z.boolean().default(false) }))
    .max(limits.tiles)
    .refine((tiles) => new Set(tiles.map(({ key }) => key)).size === tiles.length, 'Each tile once.'),
})
export type Arrange = z.output<typeof arrangeSchema>

export const tileParams = z.object({ key: z.string().max(MAX_PARAMETER_LENGTH) })
