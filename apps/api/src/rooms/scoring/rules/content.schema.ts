import { z } from 'zod'
import { freeText } from '../../../http/hidden-fields.ts'
import { line } from '../../../http/text.ts'
import { confidences, contentLimits, operators, roundings, straddlings, tieBreaks } from './content.ts'

/*
 * Schema of a version's content. A draft that matches this schema can be saved; `problemsOf` lists further errors that prevent evaluation and
 * submission.
 */

const id = z
  .string()
  .regex(/^[\w-]+$/, 'Use letters, digits, - and _.')
  .max(contentLimits.idLength)
const name = freeText(line(contentLimits.nameLength))
/** A number with at most two decimals. */
const points = z
  .number()
  .min(-contentLimits.points)
  .max(contentLimits.points)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'At most two decimals.')
const days = z.int().min(1).max(contentLimits.days)
const word = line(contentLimits.valueLength)

const condition = {
  id,
  signal: z.string().min(1).max(100).describe('A key of `GET /scoring/signals`'),
  op: z.enum(operators),
  value: z.union([freeText(word), z.number(), z.array(freeText(word)).max(contentLimits.values)]).optional(),
  freshDays: days.optional().describe('Older evidence is stale'),
  expireDays: days.optional().describe('Older evidence has expired'),
  minConfidence: z.enum(confidences).optional().describe('Evidence below it leaves the rule undecided'),
}
const ruleSchema = z.strictObject({ ...condition, points }).meta({ id: 'ScoringRule' })
const gateSchema = z.strictObject({ ...condition, kind: z.enum(['requires', 'excludes']) }).meta({ id: 'ScoringGate' })
const groupSchema = z
  .strictObject({
    id,
    name,
    min: points.describe('The points of its rules count from here'),
    max: points.describe('The points of its rules count up to here'),
    rules: z.array(ruleSchema).max(contentLimits.rules),
  })
  .meta({ id: 'ScoringGroup' })
export const bandSchema = z
  .strictObject({ id, name, from: z.int().min(0).max(100).describe('The lowest score of the band') })
  .meta({ id: 'ScoringBand' })

export const contentSchema = z
  .strictObject({
    groups: z.array(groupSchema).max(contentLimits.groups),
    gates: z.array(gateSchema).max(contentLimits.gates),
    bands: z.array(bandSchema).min(contentLimits.leastBands).max(contentLimits.bands).describe('Best first'),
    straddling: z
      .enum(straddlings)
      .describe('The priority of a record whose range spans several bands: its lowest band, or unknown'),
    rounding: z.enum(roundings),
    tieBreak: z.enum(tieBreaks).describe('The order of records with the same score'),
    requiredEvidence: z
      .enum(confidences)
      .optional()
      .describe(
        'Every rule about a fact requires evidence of at least this confidence. Absent: a stated value decides',
      ),
    suppression: z.literal('first').describe('Do not contact comes before every rule'),
  })
  .refine(({ groups }) => groups.reduce((sum, { rules }) => sum + rules.length, 0) <= contentLimits.rules, {
    path: ['groups'],
    message: `At most ${contentLimits.rules} rules in all groups together.`,
  })
  .refine((content) => Buffer.byteLength(JSON.stringify(content)) <= contentLimits.bytes, {
    message: `At most ${contentLimits.bytes / 1024} KiB. Shorten names or lists of values.`,
  })
  .meta({ id: 'ScoringContent' })
