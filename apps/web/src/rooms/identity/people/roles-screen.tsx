import type { RoleMatrix } from '@prospect/api-client'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useSession } from '../../../ui/api/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { Failed, LoadingLines } from '../../../ui/layout/states.tsx'
import { FixedTable } from '../../../ui/lists/fixed-table.tsx'
import { fieldName } from '../../../ui/text/field-names.ts'
import { rolesQuery } from '../accounts.queries.ts'
import { roleName } from '../role-names.ts'
import classes from './roles.module.css'

/** Permissions of each role, from the same table that the server uses. */
export function RolesScreen() {
  const matrix = useQuery(rolesQuery)
  const { role } = useSession()
  return (
    <Page width="text" title="Roles" lead={`Permissions of each role. Your role: ${roleName(role).toLowerCase()}.`}>
      {matrix.isPending && <LoadingLines lines={10} />}
      {matrix.isError && !matrix.data && (
        <Failed error={matrix.error} retry={() => void matrix.refetch()} what="the roles" />
      )}
      {matrix.data && <Matrix {...matrix.data} />}
    </Page>
  )
}

function Matrix({ roles, permissions }: RoleMatrix) {
  const groups = Map.groupBy(permissions, ({ permission }) => permission.slice(0, permission.indexOf('.')))
  return (
    <FixedTable className={classes.table} aria-label="Permissions of each role">
      <thead>
        <tr>
          <th scope="col">May</th>
          {roles.map(({ role }) => (
            <th key={role} scope="col">
              <span>{roleName(role)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...groups].map(([room, ofRoom]) => (
          <Fragment key={room}>
            <tr className={classes.room}>
              <th scope="rowgroup" colSpan={roles.length + 1}>
                {roomNames[room] ?? fieldName(room)}
              </th>
            </tr>
            {ofRoom.map(({ permission, label }) => (
              <tr key={permission}>
                <th scope="row">{label}</th>
                {roles.map(({ role, permissions: has }) => (
                  <td key={role} data-has={has.includes(permission)}>
                    {has.includes(permission) ? (
                      <IconCheck size={16} stroke={2} aria-hidden />
                    ) : (
                      <IconMinus size={14} stroke={1.5} aria-hidden />
                    )}
                    <span className="pp-visually-hidden">{has.includes(permission) ? 'yes' : 'no'}</span>
                  </td>
                ))}
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </FixedTable>
  )
}

const roomNames: Record<string, string> = {
  assist: 'Assistance',
  audit: 'Audit log',
  businesses: 'Prospects',
  matching: 'Duplicates',
  scanning: 'Websites',
  tenant: 'Workspace',
  users: 'People',
}
