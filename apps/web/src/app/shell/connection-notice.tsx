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
            {connection === 'offline' ? 'You are offline.' : 'The service does not answer.'} What you see may be old,
            and nothing can be saved until it is back. What you type is kept.
          </span>
        </p>
      )}
      {/* Who sees the line go knows it; who only heard of it would wait on. */}
      {connection === 'online' && wasLost && <p className="pp-visually-hidden">The service answers again.</p>}
      {incomplete !== null && (
        <p className={classes.connection}>
          <IconRefresh size={16} stroke={1.75} aria-hidden />
          <span>
            {incomplete} Some of it does not open until it is loaded anew. Notes and the forms of records keep what you
            typed.
          </span>
          <Button variant="default" size="compact-sm" onClick={() => window.location.reload()}>
            Load the page anew
          </Button>
        </p>
      )}
    </div>
  )
}
