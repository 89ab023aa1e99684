ALTER TABLE `dev_messages` ADD `html` text;--> statement-breakpoint
ALTER TABLE `notices` ADD `facts` text;--> statement-breakpoint
ALTER TABLE `sign_in_experiences` ADD `support_contact` text;