import { expect, it } from 'vitest'
import { shortenAnswer } from '../../../src/domain/connectors/server-answer.ts'

const sent = { host: 'mail', auth: { user: 'postmaster@acme.example', pass: 'geheim' } }
const secrets = ['geheim', 'Z2VoZWlt', 'a@b.de']

it.each([
  { answer: '550 5.1.1 No such user here', line: '550 5.1.1 No such user here' },
  {
    answer: '535-5.7.8 Not accepted.\r\n535 5.7.8  See https://mail.example/?p=BadCredentials\u0007',
    line: '535-5.7.8 Not accepted. 535 5.7.8 See https://mail.example/?p=BadCredentials',
  },
  { answer: '501 geheim for <a@b.de> is bad: Z2VoZWlt', line: '501 ****** for <******> is bad: ******' },
  { answer: '535 postmaster@acme.example is locked', line: '535 ****** is locked' },
  { answer: '501 AGFAYi5kZQBnZWhlaW0x?', line: '501 ******?' },
  { answer: '401 {"error":"bad key sk_live_51H8abcDEFghiJKL"}', line: '401 {"error":"bad key ******"}' },
  { answer: '550 <A@B.DE>: user unknown', line: '550 <******>: user unknown' },
  { answer: '550 other.user@example.org is unknown', line: '550 ****** is unknown' },
  { answer: '21211 Invalid number: +49 (151) 234-56789', line: '21211 Invalid number: ******' },
  { answer: '535 bad: AUTH PLAIN AGFubgBzZWM=', line: '535 bad: AUTH PLAIN ******' },
  { answer: `550 ${'no '.repeat(100)}`, line: `550 ${'no '.repeat(65)}…`.replace(' …', '…') },
])('shows $answer as one line without secrets', ({ answer, line }) => {
  expect(shortenAnswer(answer, { sent, secrets })).toBe(line)
})

it('reads only the beginning of a very long answer', () => {
  const startedAt = performance.now()
  expect(shortenAnswer('a'.repeat(262_144), { sent, secrets })).toBe('')
  expect(shortenAnswer(`550 no ${'@'.repeat(262_144)}`, { sent, secrets })).toBe('550 no')
  expect(shortenAnswer(`550 ${'a1'.repeat(900)} ${'geheim'.repeat(500)}`, { sent, secrets })).toBe(
    '550 ******',
  )
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
