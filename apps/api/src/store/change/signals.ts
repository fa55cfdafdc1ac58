import { EventEmitter } from 'node:events'

/**
 * Events of one store in this process, emitted after a commit, by name. Each room adds its own by declaration merging. A signal only suggests that
 * there is something to read: other processes and threads emit none here, so a listener also polls the store.
 */
export interface SignalMap {
  /** a change recorded these actions in the tenant's chain */
  recorded: [tenantId: string, actions: readonly string[]]
}

export type Signals = EventEmitter<{ [K in keyof SignalMap]: SignalMap[K] }>

export function createSignals(): Signals {
  const signals: Signals = new EventEmitter()
  // Every open event stream adds a listener, so there is no limit.
  signals.setMaxListeners(0)
  return signals
}
