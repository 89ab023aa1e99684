ALTER TABLE `resources` ADD `claims` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `claims` text;