import { administrator, seedVariable, switcher, tenants } from './fixtures.ts'
import { makeSeed } from './server.ts'

/** Runs before the first test; the returned function runs after the last one. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const seed = await makeSeed(async (cli) => {
    const create = (person: typeof switcher, tenant: string, role: string) =>
      cli(
        ['user', 'create', '--email', person.email, '--name', person.name, '--tenant', tenant, '--role', role].concat([
          '--password-file',
          '-',
        ]),
        person.password,
      )
    const first = await cli(['tenant', 'create', '--name', tenants.first])
    const second = await cli(['tenant', 'create', '--name', tenants.second])
    await create(administrator, first, 'administrator')
    await create(switcher, first, 'operator')
    await create(switcher, second, 'administrator')
  })
  process.env[seedVariable] = seed.folder
  return seed.remove
}
