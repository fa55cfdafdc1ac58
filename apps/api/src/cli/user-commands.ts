import { addMembership, countUsers, createUser, findUserId, type Role, roles } from '../rooms/identity/identity.ts'
import { type Command, print, readOptions, required, say, UsageError, withStore } from './command.ts'
import { readPassword } from './read-password.ts'

export const userCommands: Command[] = [
  {
    name: 'user create',
    options: '--email <address> --name <name> --tenant <id> --role <role> [--password-file <file>]',
    does: 'creates a user, or lets an existing one into one more tenant; prints the id. The password is asked for, or read from the file (- is standard input)',
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
          say('This user existed and keeps name and password; they now belong to the tenant too.')
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
    name: 'user count',
    options: '',
    does: 'prints how many users there are, in all tenants',
    run: async (args) => {
      readOptions(args, {})
      print(String(await withStore((store) => countUsers(store.reader))))
      return 0
    },
  },
]

function roleOf(typed: string): Role {
  const role = roles.find((known) => known === typed)
  if (role === undefined) throw new UsageError(`--role is one of ${roles.join(', ')}.`)
  return role
}
