import { Checkbox, Stack } from '@mantine/core'
import type { Permission, TokenPermissions } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Failed, LoadingLines } from '../../../ui/layout/states.tsx'
import { countWords } from '../../../ui/text/count-words.ts'
import classes from './tokens.module.css'
import { tokenPermissionsQuery } from './tokens.queries.ts'

type Group = TokenPermissions['groups'][number]
type Props = { chosen: readonly string[]; onChange: (chosen: Permission[]) => void; error?: string | undefined }

/** The permissions of a token, by group, of those that the person has. A group can be chosen as a whole. */
export function PermissionGroups({ chosen, onChange, error }: Props) {
  const known = useQuery(tokenPermissionsQuery)
  if (known.isPending) return <LoadingLines lines={9} />
  if (!known.data) return <Failed error={known.error} retry={() => void known.refetch()} what="the permissions" />
  const groups = known.data.groups
    .map((group) => ({ ...group, permissions: group.permissions.filter(({ isHeld }) => isHeld) }))
    .filter(({ permissions }) => permissions.length > 0)
  const all = groups.flatMap(({ permissions }) => permissions.map(({ permission }) => permission))
  const set = (changed: readonly Permission[], isChosen: boolean) =>
    onChange(all.filter((one) => (changed.includes(one) ? isChosen : chosen.includes(one))))
  return (
    <fieldset className={classes.groups} aria-describedby={error === undefined ? undefined : 'token-permissions-error'}>
      <legend>Permissions</legend>
      {groups.map((group) => (
        <PermissionGroup key={group.group} group={group} chosen={chosen} set={set} />
      ))}
      {error !== undefined && (
        <p id="token-permissions-error" role="alert" className="pp-refusal">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type GroupProps = {
  group: Group
  chosen: readonly string[]
  set: (some: readonly Permission[], isChosen: boolean) => void
}

function PermissionGroup({ group: { label, permissions }, chosen, set }: GroupProps) {
  const names = permissions.map(({ permission }) => permission)
  const count = names.filter((name) => chosen.includes(name)).length
  return (
    <details className={classes.group}>
      <summary>
        <span>{label}</span>
        <span className={classes.count}>
          {count === 0 ? 'none' : `${count} of ${countWords(names.length, 'permission', 'permissions')}`}
        </span>
      </summary>
      <Stack gap="xs">
        <Checkbox
          label={`All of: ${label}`}
          checked={count === names.length}
          indeterminate={count > 0 && count < names.length}
          onChange={({ currentTarget }) => set(names, currentTarget.checked)}
        />
        {permissions.map(({ permission, label: words }) => (
          <Checkbox
            key={permission}
            label={words}
            checked={chosen.includes(permission)}
            onChange={({ currentTarget }) => set([permission], currentTarget.checked)}
          />
        ))}
      </Stack>
    </details>
  )
}
