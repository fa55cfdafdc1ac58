import { Button } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useConnection, useIncomplete } from '../../ui/api/use-connection.ts'
import classes from './shell.module.css'

export function ConnectionNotice() {
  const connection = useConnection()
  const incomplete = useIncomplete()
  const [wasLost, setWasLost] = useState(false)
  if (connection !== 'online' && !wasLost) setWasLost(true)
  return (
    <div role="status">
      {connection !== 'online' && (
        <p className={classes.connection}>
          <IconCloudOff size={16} stroke={1.75} aria-hidden />
          <span>
            {connection === 'offline' ? 'You are offline.' : 'The server is not responding.'} This page may be out of
            date. You cannot save until the connection is back. Your text is kept.
          </span>
        </p>
      )}
      {/* The notice disappears visually; screen readers need an announcement that the connection is back. */}
      {connection === 'online' && wasLost && <p className="pp-visually-hidden">The connection is back.</p>}
      {incomplete !== null && (
        <p className={classes.connection}>
          <IconRefresh size={16} stroke={1.75} aria-hidden />
          <span>{incomplete} Reload the page. Unsaved notes and forms are kept.</span>
          <Button variant="default" size="compact-sm" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </p>
      )}
    </div>
  )
}
