/** SHA-256 in base64url: by what the database knows a value that opens a door (decision 25). */
export async function digest(value: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return Buffer.from(hash).toString('base64url')
}
