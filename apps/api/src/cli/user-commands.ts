import { readConfig } from '../config.ts'
import {
  addMembership,
  countUsers,
  createUser,
  findUserId,
  type Role,
  resetFactorsByOperator,
  resetPasswordByOperator,
  roles,
} from '../rooms/identity/identity.ts'
import { isStoreThere } from '../store/files/enter-store.ts'
import {
  type Command,
  dataDirEnvironment,
  print,
  readOptions,
  required,
  say,
  UsageError,
  withStore,
} from './command.ts'
import { readPassword } from './read-password.ts'

export const userCommands: Command[] = [
  {
    name: 'user create',
    options: '--email <address> --name <name> --tenant <id> --role <role> [--password-file <file>]',
    does: 'creates a user, or adds an existing user to another tenant; prints the id. Prompts for the password, or reads it from the file (- is standard input)',
    run: async (args) => {
      const options = readOptions(args, {
        email: { type: 'string' },
        name: { type: 'string' },
        tenant: { type: 'string' },
        role: { type: 'string' },
        'password-file': { type: 'string' },
      })
      const email = required(options.email, '--email')
      const tenantId = required(options.tenant, '--tenant')
      const role = roleOf(required(options.role, '--role'))
      const userId = await withStore(async (store) => {
        const existing = await findUserId(store, email)
        if (existing !== undefined) {
          await addMembership(store, 'command line', { tenantId, userId: existing, role })
          say('This user already exists and keeps name and password; they now belong to this tenant too.')
          return existing
        }
        const name = required(options.name, '--name')
        const password = await readPassword(options['password-file'])
        return createUser(store, 'command line', { tenantId, email, name, role, password })
      })
      print(userId)
      return 0
    },
  },
  {
    name: 'user reset-password',
    options: '--email <address>',
    does: 'prints the token of a one-time link, valid for an hour, by which the person sets a new password: <web address>/welcome#<token>. Ends their sessions and their old password',
    run: async (args) => {
      const email = required(readOptions(args, { email: { type: 'string' } }).email, '--email')
      const { token, expiresAt } = await withStore((store) => resetPasswordByOperator(store, email))
      print(token)
      say(`Valid until ${expiresAt}, once.`)
      return 0
    },
  },
  {
    name: 'user reset-factors',
    options: '--email <address>',
    does: 'removes all second factors of a person who has lost them, and ends their sessions',
    run: async (args) => {
      const email = required(readOptions(args, { email: { type: 'string' } }).email, '--email')
      await withStore((store) => resetFactorsByOperator(store, email))
      say('The person signs in with the password and enrols a new factor.')
      return 0
    },
  },
  {
    name: 'user count',
    options: '[--may-be-new]',
    does: 'prints the number of users in all tenants; with the option 0 when no store exists yet',
    run: async (args) => {
      const options = readOptions(args, { 'may-be-new': { type: 'boolean', default: false } })
      const isNew = options['may-be-new'] && !isStoreThere(readConfig(dataDirEnvironment()).dataDir)
      print(isNew ? '0' : String(await withStore((store) => countUsers(store.reader))))
      return 0
    },
  },
]

function roleOf(typed: string): Role {
  const role = roles.find((known) => known === typed)
  if (role === undefined) throw new UsageError(`--role is one of ${roles.join(', ')}.`)
  return role
}
