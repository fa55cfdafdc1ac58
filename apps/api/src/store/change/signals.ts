import { EventEmitter } from 'node:events'

/**
 * Events that one store of this process emits after a commit, by name. Each room adds its own by declaration merging. A signal is only a hint to read
 * the store: commits of other processes and threads emit none here, so a listener must poll the store too.
 */
export interface SignalMap {
  /** a change has recorded events with these actions in the tenant's chain */
  recorded: [tenantId: string, actions: readonly string[]]
}

export type Signals = EventEmitter<{ [K in keyof SignalMap]: SignalMap[K] }>

export function createSignals(): Signals {
  const signals: Signals = new EventEmitter()
  // No limit of listeners, because every open event stream adds one.
  signals.setMaxListeners(0)
  return signals
}
