import { isObject, type JsonObject, type JsonValue } from './json.ts'

const WIDTH = 110

/** Writes a settings file in TypeScript, formatted like the code of this repository. */
export function toTypeScript(
  config: JsonObject,
  { variables, helpers }: { variables: readonly string[]; helpers: string },
): string {
  const names = variables.length > 0 ? 'defineConfig, secret' : 'defineConfig'
  return `import { ${names} } from '${helpers}'\n\nexport default defineConfig(${sourceOf(config, '')})\n`
}

function sourceOf(value: JsonValue, indent: string): string {
  if (Array.isArray(value)) return list(value, indent)
  if (!isObject(value)) return typeof value === 'string' ? quote(value) : JSON.stringify(value)
  const variable = referencedVariable(value)
  if (variable !== null) return `secret(${quote(variable)})`
  const inner = `${indent}  `
  const fields = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${inner}${name(key)}: ${sourceOf(item, inner)},\n`],
  )
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`
}

function list(items: readonly JsonValue[], indent: string): string {
  const inner = `${indent}  `
  const isPlain = items.every((item) => typeof item !== 'object' || item === null)
  const line = `[${items.map((item) => sourceOf(item, inner)).join(', ')}]`
  if (items.length === 0 || (isPlain && line.length + indent.length < WIDTH / 2)) return line
  return `[\n${items.map((item) => `${inner}${sourceOf(item, inner)},\n`).join('')}${indent}]`
}

function referencedVariable(value: JsonObject): string | null {
  const [[key, variable] = [], ...others] = Object.entries(value)
  return key === 'env' &&
    others.length === 0 &&
    typeof variable === 'string' &&
    /^[A-Z_][A-Z\d_]*$/.test(variable)
    ? variable
    : null
}

const name = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) && key !== '__proto__' ? key : quote(key))

/** Formats a string as a literal, with single quotes if possible. JSON escapes are kept. */
const quote = (text: string) => {
  const inner = JSON.stringify(text).slice(1, -1)
  return text.includes("'") && !text.includes('"')
    ? `"${inner}"`
    : `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
