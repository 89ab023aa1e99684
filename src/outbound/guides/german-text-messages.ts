import type { MessageFactoryId } from '../../contract/connectors/connectors.ts'
import { customServiceSteps } from './german-messages.ts'

/** The German setup guides for SMS services. */
export const textMessageGuides = {
  'twilio-short-message-service': `Sie brauchen ein Konto bei [Twilio](https://console.twilio.com/).

1. Kaufen Sie eine Nummer, oder registrieren Sie eine Absenderkennung, für die Länder Ihrer Benutzer. Viele Länder verlangen eine Registrierung (in den USA: A2P 10DLC).
2. Erstellen Sie unter *Messaging*, *Services* einen Messaging Service, und fügen Sie die Nummer zu seinem Sender Pool hinzu.
3. Erlauben Sie unter *Messaging*, *Geo permissions* nur die Länder, in die Sie senden. Das begrenzt Betrug.

Die Felder:

- **Account SID** (\`accountSID\`): Sie beginnt mit \`AC\` und steht auf der ersten Seite der Konsole.
- **Auth Token** (\`authToken\`): auf derselben Seite.
- **Messaging Service SID** (\`fromMessagingServiceSID\`): Sie beginnt mit \`MG\`.

Häufige Fehler:

- *20003*: Das Token wurde ausgetauscht oder gehört zu den Test-Zugangsdaten.
- *21608*: Ein Testkonto sendet nur an bestätigte Nummern.
- *21408*: Das Land ist unter *Geo permissions* nicht erlaubt.`,

  'aliyun-short-message-service': `Sie brauchen ein Konto bei Alibaba Cloud mit [Short Message Service](https://dysms.console.aliyun.com/).

1. Beantragen Sie eine Signatur und Vorlagen, eine je Art der Nachricht. Beides wird geprüft.
2. Benutzen Sie in den Vorlagen die Variable \`code\`: „Ihr Code ist \${code}.“
3. Erstellen Sie in [RAM](https://ram.console.aliyun.com/users) einen Benutzer für den API-Zugriff mit der Berechtigung *AliyunDysmsFullAccess*.

Die Felder:

- **Access Key ID** (\`accessKeyId\`) und **Access Key Secret** (\`accessKeySecret\`): die des RAM-Benutzers.
- **Name der Signatur** (\`signName\`): genau so, wie er genehmigt wurde.
- **Vorlagen** (\`templates\`): eine Liste aus \`{"usageType": "SignIn", "templateCode": "SMS_…"}\`, je eine für SignIn, Register,
  ForgotPassword und Generic.

Häufige Fehler:

- *isv.SMS_SIGNATURE_ILLEGAL* oder *isv.SMS_TEMPLATE_ILLEGAL*: nicht genehmigt, oder sie gehört zu einem anderen Konto.
- Nummern außerhalb des chinesischen Festlands brauchen eine eigene Vorlage: \`{"china": "SMS_…", "overseas": "SMS_…"}\`.
- Nummern mit +1 (USA, Kanada, Karibik) bekommen keine Nachrichten, weil Aliyun sie für chinesische hält.`,

  'tencent-short-message-service': `Sie brauchen ein Konto bei Tencent Cloud mit [SMS](https://console.cloud.tencent.com/smsv2).

1. Erstellen Sie eine Anwendung, und beantragen Sie eine Signatur und Vorlagen. Beides wird geprüft.
2. Benutzen Sie in den Vorlagen eine einzige Variable, den Code: „Ihr Code ist {1}.“
3. Erstellen Sie in [CAM](https://console.cloud.tencent.com/cam/capi) einen API-Schlüssel für einen Unterbenutzer mit der Berechtigung *QcloudSMSFullAccess*.

Die Felder:

- **Secret ID** (\`accessKeyId\`) und **Secret Key** (\`accessKeySecret\`): die des Unterbenutzers.
- **Name der Signatur** (\`signName\`): ihr Inhalt, nicht ihre ID.
- **SDK App ID** (\`sdkAppId\`): die ID der Anwendung; sie beginnt mit \`1400\`.
- **Region** (\`region\`): zum Beispiel \`ap-guangzhou\`, oder \`ap-singapore\` für ein internationales Konto.
- **Vorlagen** (\`templates\`): eine Liste aus \`{"usageType": "SignIn", "templateCode": "…"}\`, je eine für SignIn, Register,
  ForgotPassword und Generic.

Häufige Fehler:

- *FailedOperation.TemplateIncorrectOrUnapproved*: Die Vorlage ist nicht genehmigt oder hat eine andere Zahl von Variablen.
- *LimitExceeded*: Tencent begrenzt die Nachrichten an eine Nummer. Ändern Sie die Grenze in den Einstellungen der Anwendung.`,

  'http-sms': `Übergibt jede Nachricht an einen eigenen HTTP-Dienst, der sie verschickt. Signaturen folgen der [Spezifikation Standard Webhooks](https://www.standardwebhooks.com/).

1. Schreiben Sie einen Dienst, der eine POST-Anfrage mit JSON annimmt: \`to\` (Ziffern, mit Ländervorwahl), \`type\`, \`code\`, \`language\`, \`text\`.
${customServiceSteps}`,
} satisfies Partial<Record<MessageFactoryId, string>>
