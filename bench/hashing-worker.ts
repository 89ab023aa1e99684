import { hashPassword } from '../src/storage/passwords/password-hash.ts'

/**
 * Hashes a password as often as requested. The caller measures the time, because workerd's clock stands still during a
 * request.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const times = Number(searchParams.get('times'))
    const password = searchParams.get('password') ?? ''
    let encoded = ''
    for (let count = 0; count < times; count++) encoded = await hashPassword(password)
    return new Response(encoded)
  },
}
