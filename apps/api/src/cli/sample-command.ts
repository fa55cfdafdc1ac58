import { numberInDigits } from '../lib/digits.ts'
import { noAdapters } from '../load-adapters.ts'
import { rooms } from '../rooms/index.ts'
import {
  fillWithSampleData,
  SAMPLE_BUSINESSES_DEFAULT,
  SAMPLE_BUSINESSES_MAX,
} from '../rooms/sample-data/sample-data.ts'
import { type Command, readOptions, say, tenantOf, UsageError, withStore } from './command.ts'

export const sampleCommand: Command = {
  name: 'sample-data',
  options: '[--tenant <id>] [--businesses <number>] [--seed <number>]',
  does: 'fills an empty tenant with realistic prospects, three colleagues with their work of three months, and an approved rule set; audited like any other work; refuses a tenant that has records',
  run: async (args) => {
    const options = readOptions(args, {
      tenant: { type: 'string' },
      businesses: { type: 'string', default: String(SAMPLE_BUSINESSES_DEFAULT) },
      seed: { type: 'string', default: '1' },
    })
    const businesses = wholeNumber(options.businesses, '--businesses', SAMPLE_BUSINESSES_MAX)
    const seed = wholeNumber(options.seed, '--seed', Number.MAX_SAFE_INTEGER)
    return withStore(async (store) => {
      const tenantId = await tenantOf(store, options.tenant)
      const made = await fillWithSampleData(store, { tenantId, businesses, seed, rooms, adapters: noAdapters })
      say(
        `Created ${made.businesses} prospects with ${made.evidence} observations, ${made.notes} notes and ${made.moves} moves, three colleagues with their calls, drafts and lists, and an approved rule set. The API calculates scores, reports and an export.`,
      )
      return 0
    })
  },
}

function wholeNumber(value: string, option: string, max: number): number {
  const number = numberInDigits(value)
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new UsageError(`${option} takes a whole number from 1 to ${max}.`)
  return number
}
