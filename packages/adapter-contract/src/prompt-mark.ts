/**
 * Symbol that marks prompts that passed the checks of the assist room. It is registered by name, because an operator's adapters may load their own
 * copy of this package. JSON cannot contain a symbol, so no request body or stored value can ever be a checked prompt.
 */
export const promptMark = Symbol.for('prospect-platform.checked-prompt')
