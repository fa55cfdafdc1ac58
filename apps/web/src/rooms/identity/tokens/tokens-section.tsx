import { Button } from '@mantine/core'
import type { AccessToken } from '@prospect/api-client'
import { IconKey } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { Failed, LoadingLines } from '../../../ui/layout/states.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from '../profile.module.css'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { TokenStatus } from './token-status.tsx'
import { ownTokensQuery } from './tokens.queries.ts'

/** The person's access tokens, which can be created and revoked. */
export function TokensSection() {
  const tokens = useInfiniteQuery(ownTokensQuery)
  const creating = useDialog()
  const revoking = useDialog<AccessToken>()
  const items = tokens.data?.items ?? []
  return (
    <TitledSection title="Access tokens">
      <p className={classes.text}>
        With an access token a program acts as you, without a browser: a nightly copy, a spreadsheet, a form on a
        website.
      </p>
      {tokens.isPending && <LoadingLines lines={2} />}
      {tokens.isError && !tokens.data && (
        <Failed error={tokens.error} retry={() => void tokens.refetch()} what="your access tokens" />
      )}
      {tokens.data && (
        <>
          {items.length > 0 && (
            <ul aria-label="Your access tokens">
              {items.map((token) => (
                <TokenRow key={token.id} token={token} revoke={() => revoking.open(token)} />
              ))}
            </ul>
          )}
          <LoadMore what="access tokens" {...tokens} data={tokens.data} />
          <Button variant="default" mt="sm" onClick={() => creating.open()}>
            New access token…
          </Button>
        </>
      )}
      {creating.slot((_, dialog) => (
        <NewTokenDialog {...dialog} />
      ))}
      {revoking.slot((token, { close }) => (
        <RevokeDialog token={token} close={close} />
      ))}
    </TitledSection>
  )
}

function TokenRow({ token, revoke }: { token: AccessToken; revoke: () => void }) {
  const { name, permissions, addresses, lastUsedAt, endsAt, status } = token
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>
        <IconKey size={18} stroke={1.6} aria-hidden />
      </span>
      <div className={classes.rowText}>
        <p>
          <Name of={name} />
        </p>
        <p>
          <TokenStatus token={token} /> · {countWords(permissions.length, 'permission', 'permissions')}
          {addresses.length > 0 && ` · from ${addresses.join(', ')}`}
        </p>
        <p>
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <DateTime at={lastUsedAt} />
            </>
          )}{' '}
          · ends <DateTime at={endsAt} as="date" />
        </p>
      </div>
      {status === 'active' && (
        <div className={classes.rowActions}>
          <Button variant="default" onClick={revoke} aria-label={`Revoke ${nameText(name)}`}>
            Revoke…
          </Button>
        </div>
      )}
    </li>
  )
}
