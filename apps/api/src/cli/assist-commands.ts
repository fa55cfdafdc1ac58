import { readConfig } from '../config.ts'
import { loadAdapters } from '../load-adapters.ts'
import {
  type Command,
  dataDirEnvironment,
  print,
  readOptions,
  required,
  say,
  tenantOf,
  UsageError,
  withStore,
} from './command.ts'

/** Exit code: no adapter is configured, so there is nothing to try. */
const NOT_CONFIGURED = 3

export const assistCommands: Command[] = [
  {
    name: 'assist try',
    options: '[--tenant <id>]',
    does: 'sends one request of synthetic evidence to the provider of assistance of a tenant, under the status, permit and budget checks of a suggestion, and validates the answer. Needs ADAPTERS_FILE; without it, exits with 3 and connects nowhere. Sends no record and stores no text. Exits with 0 if every claim of the answer passed, 1 otherwise',
    run: async (args) => {
      const options = readOptions(args, { tenant: { type: 'string' } })
      const { ADAPTERS_FILE } = process.env
      const { adaptersFile } = readConfig({ ...dataDirEnvironment(), ADAPTERS_FILE })
      if (adaptersFile === undefined) {
        say('ADAPTERS_FILE is not set: no provider is configured, and nothing was sent.')
        return NOT_CONFIGURED
      }
      const adapters = await loadAdapters(adaptersFile)
      // Imported here because only this command needs the room.
      const { tryProvider } = await import('../rooms/assist/assist.ts')
      const { outcome, detail, claims, model, usage } = await withStore(async (store) =>
        tryProvider({ store, adapters }, await tenantOf(store, options.tenant)),
      )
      const counted = usage.reported ? 'as reported by the provider' : 'reserved in full, because none was reported'
      say(`${detail} Model ${model}; ${usage.tokens} tokens and a cost of ${usage.cost} minor units, ${counted}.`)
      print([outcome, claims].join('\t'))
      return outcome === 'passed' ? 0 : 1
    },
  },
  {
    name: 'assist correct-budget',
    options: '--adapter <id> --reason <text> [--tenant <id>] [--calls=<number>] [--tokens=<number>] [--cost=<number>]',
    does: 'adds an audited entry that corrects the usage of a tenant and an adapter from now on, by a positive or negative number of calls, tokens and minor units; edits nothing. The sums of the month cannot become negative. Prints the id of the entry',
    run: async (args) => {
      const text = { type: 'string' } as const
      const options = readOptions(args, {
        ...{ tenant: text, adapter: text, reason: text },
        ...{ calls: text, tokens: text, cost: text },
      })
      const adapterId = required(options.adapter, '--adapter')
      const reason = required(options.reason?.trim(), '--reason')
      const { correctBudgetByOperator, CORRECTION_LIMITS } = await import('../rooms/assist/assist.ts')
      if (reason.length > CORRECTION_LIMITS.reason)
        throw new UsageError(`--reason takes at most ${CORRECTION_LIMITS.reason} characters.`)
      const difference = (value: string | undefined, option: string, max: number): number => {
        const number = Number(value ?? 0)
        if (value?.trim() === '' || !Number.isInteger(number) || Math.abs(number) > max)
          throw new UsageError(`${option} takes a whole number from -${max} to ${max}.`)
        return number
      }
      const correction = {
        adapterId,
        reason,
        calls: difference(options.calls, '--calls', CORRECTION_LIMITS.calls),
        tokens: difference(options.tokens, '--tokens', CORRECTION_LIMITS.tokens),
        cost: difference(options.cost, '--cost', CORRECTION_LIMITS.cost),
      }
      if (correction.calls === 0 && correction.tokens === 0 && correction.cost === 0)
        throw new UsageError('Give --calls, --tokens or --cost.')
      const id = await withStore(async (store) =>
        correctBudgetByOperator(store, await tenantOf(store, options.tenant), correction),
      )
      print(id)
      return 0
    },
  },
]
