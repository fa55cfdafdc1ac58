import { IconCloudOff } from '@tabler/icons-react'
import { useConnection } from '../connection.ts'
import classes from './shell.module.css'

export function ConnectionNotice() {
  const connection = useConnection()
  return (
    <div role="status">
      {connection !== 'online' && (
        <p className={classes.connection}>
          <IconCloudOff size={16} stroke={1.75} aria-hidden />
          {connection === 'offline' ? 'You are offline.' : 'The service does not answer.'} What you see may be old, and
          nothing can be saved until it is back. What you type is kept.
        </p>
      )}
    </div>
  )
}
