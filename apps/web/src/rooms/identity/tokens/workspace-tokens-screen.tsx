import { Button } from '@mantine/core'
import type { AccessToken } from '@prospect/api-client'
import { createContext, useContext } from 'react'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { ListScreen } from '../../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { RevokeDialog } from './revoke-dialog.tsx'
import { TokenStatus } from './token-status.tsx'
import { workspaceTokenPages } from './tokens.queries.ts'

/** Opens the dialog that revokes a token. */
const Revoke = createContext<(token: AccessToken) => void>(() => {})

const columns: readonly DataColumn<AccessToken>[] = [
  { id: 'name', label: 'Name', width: 14, isFixed: true, isGrowing: true, render: ({ name }) => <Name of={name} /> },
  { id: 'person', label: 'Person', width: 12, render: ({ person }) => <Name of={person.name} /> },
  { id: 'status', label: 'Status', width: 8, render: (token) => <TokenStatus token={token} /> },
  {
    id: 'permissions',
    label: 'Permissions',
    width: 9,
    render: ({ permissions }) => (
      <span title={permissions.join(', ')}>{countWords(permissions.length, 'permission', 'permissions')}</span>
    ),
  },
  {
    id: 'used',
    label: 'Last used',
    width: 9,
    render: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <DateTime at={lastUsedAt} />),
  },
  { id: 'ends', label: 'Ends', width: 9, render: ({ endsAt }) => <DateTime at={endsAt} as="date" /> },
  { id: 'actions', label: 'Actions', width: 8, align: 'end', render: (token) => <RevokeButton token={token} /> },
]

function RevokeButton({ token }: { token: AccessToken }) {
  const revoke = useContext(Revoke)
  if (token.status !== 'active') return null
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={() => revoke(token)}
      aria-label={`Revoke ${nameText(token.name)}`}
    >
      Revoke…
    </Button>
  )
}

/** The access tokens of all members, for managers. */
export function WorkspaceTokensScreen() {
  const revoking = useDialog<AccessToken>()
  return (
    <Revoke value={revoking.open}>
      <ListScreen
        name="tokens"
        nouns={{ one: 'access token', many: 'access tokens' }}
        title="Access tokens"
        label="Access tokens"
        lead="With these tokens, programs act for members of the workspace. Members create their own under Profile · Security."
        columns={columns}
        pages={workspaceTokenPages}
        clear={null}
        empty={<Empty title="No access tokens yet" />}
      >
        {revoking.slot((token, { close }) => (
          <RevokeDialog token={token} close={close} />
        ))}
      </ListScreen>
    </Revoke>
  )
}
