const gmail = { name: 'Gmail', url: 'https://mail.google.com/mail/' }
const outlook = { name: 'Outlook', url: 'https://outlook.live.com/mail/' }
const icloud = { name: 'iCloud Mail', url: 'https://www.icloud.com/mail/' }
const yahoo = { name: 'Yahoo Mail', url: 'https://mail.yahoo.com/' }

const mailboxes = new Map([
  ['gmail.com', gmail],
  ['googlemail.com', gmail],
  ['outlook.com', outlook],
  ['hotmail.com', outlook],
  ['live.com', outlook],
  ['icloud.com', icloud],
  ['me.com', icloud],
  ['yahoo.com', yahoo],
])

/** Returns the website where users of a well-known provider read their email, or null for other domains. */
export const findMailbox = (address: string) =>
  mailboxes.get(address.slice(address.lastIndexOf('@') + 1).toLowerCase()) ?? null
