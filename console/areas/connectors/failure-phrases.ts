import { phrases } from '../../phrases.ts'

/**
 * Why a message was not sent (spec/connectors#failure-reasons). The English sentences are those of the doctor
 * (operator/failure-reasons.ts).
 */
export const failureTexts = phrases({
  en: {
    unreachableFailure: 'There is no connection to the server. Check its name and the port.',
    timeoutFailure: 'The server took too long to answer.',
    certificateFailure:
      'The server can be reached, but the encrypted connection failed. Check that the certificate is valid for this host, and that the port uses this kind of TLS.',
    encryptionFailure: 'The server offers no encryption with STARTTLS.',
    loginFailure: 'The server offers no kind of login that we support.',
    credentialsFailure: 'The server rejects the credentials.',
    senderFailure: 'The server rejects the address of the sender.',
    recipientFailure: 'The server rejects the address of the recipient.',
    messageFailure: 'The server rejects the message.',
    busyFailure: 'The server is busy or has a fault. Try again later.',
    unreadableFailure: 'The answer of the server follows another protocol. Check the address and the port.',
    answered: 'The server says: {answer}',
    failedWith: 'The error code is {error}.',
    lastFailed: 'The last message failed at {time}.',
  },
  de: {
    unreachableFailure:
      'Es kommt keine Verbindung zum Server zustande. Prüfen Sie seinen Namen und den Port.',
    timeoutFailure: 'Der Server hat nicht rechtzeitig geantwortet.',
    certificateFailure:
      'Der Server ist erreichbar, aber die verschlüsselte Verbindung kam nicht zustande. Prüfen Sie, ob das Zertifikat für diesen Host gilt und ob der Port diese Art von TLS verwendet.',
    encryptionFailure: 'Der Server bietet keine Verschlüsselung mit STARTTLS an.',
    loginFailure: 'Der Server bietet keine Art der Anmeldung an, die wir unterstützen.',
    credentialsFailure: 'Der Server lehnt die Zugangsdaten ab.',
    senderFailure: 'Der Server lehnt die Adresse des Absenders ab.',
    recipientFailure: 'Der Server lehnt die Adresse des Empfängers ab.',
    messageFailure: 'Der Server lehnt die Nachricht ab.',
    busyFailure: 'Der Server ist überlastet oder gestört. Versuchen Sie es später erneut.',
    unreadableFailure: 'Die Antwort des Servers folgt einem anderen Protokoll. Prüfen Sie Adresse und Port.',
    answered: 'Der Server sagt: {answer}',
    failedWith: 'Der Fehlercode ist {error}.',
    lastFailed: 'Die letzte Nachricht ist am {time} fehlgeschlagen.',
  },
})
